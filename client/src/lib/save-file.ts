/** Gives the browser a file to save; long texts may come in parts. */
export function saveFile(name: string, type: string, ...text: string[]): void {
  const url = URL.createObjectURL(new Blob(text, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun reading by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}

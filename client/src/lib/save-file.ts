/** Gives the browser a file to save; long texts may come in parts. */
export const saveFile = (name: string, type: string, ...text: string[]): void =>
  saveBlob(name, new Blob(text, { type: `${type};charset=utf-8` }))

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun reading by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}

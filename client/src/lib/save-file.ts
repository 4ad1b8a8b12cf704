/** Downloads a file; long texts can be given in parts. */
export const saveFile = (name: string, type: string, ...text: string[]): void =>
  saveBlob(name, new Blob(text, { type: `${type};charset=utf-8` }))

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has started reading by the next tick.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Preset colors; any other can be entered. */
export const groupColors = [
  ['indigo', '#6366f1'],
  ['blue', '#3b82f6'],
  ['cyan', '#06a6c4'],
  ['teal', '#14a38b'],
  ['green', '#2fa84f'],
  ['lime', '#84a816'],
  ['yellow', '#d9a514'],
  ['orange', '#ee7a22'],
  ['red', '#e5484d'],
  ['pink', '#e0559b'],
  ['purple', '#a15bdc'],
  ['gray', '#7d8797'],
] as const

export const defaultColor = groupColors[0][1]

const hex = /^#[\da-f]{6}$/i
export const isColor = (text: string): boolean => hex.test(text.trim())

import { useMedia } from './use-media.ts'

/** Whether the screen is a phone's: lists are cards, filters a sheet. */
export const usePhone = (): boolean => useMedia('(max-width: 767.98px)')

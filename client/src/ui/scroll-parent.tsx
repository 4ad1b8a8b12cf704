import { createContext, useContext } from 'react'

/** The element that scrolls the page; lists that scroll with the page hang on it. */
const Context = createContext<HTMLElement | null>(null)

export const ScrollParent = Context.Provider
export const useScrollParent = (): HTMLElement | null => useContext(Context)

import { useEffect, useRef, useState } from 'react'

const waitMs = 160

/**
 * A text that is reported after a short pause in typing. An external change (the URL, a reset) replaces it.
 * @param isFit a text that does not fit is not reported
 */
export function useTypedText(
  value: string,
  onChange: (value: string) => void,
  isFit: (value: string) => boolean = () => true,
): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(value)
  /** The last value known to both sides. */
  const agreed = useRef(value)
  useEffect(() => {
    if (value === agreed.current) return
    agreed.current = value
    setTyped((before) => (before.trim() === value.trim() ? before : value))
  }, [value])
  const next = typed.trim()
  const fit = isFit(next)
  useEffect(() => {
    if (next === agreed.current.trim() || !fit) return
    const timer = setTimeout(() => {
      agreed.current = next
      onChange(next)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [next, fit, onChange])
  return [typed, setTyped]
}

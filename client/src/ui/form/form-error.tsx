import { useLayoutEffect, useRef } from 'react'

/** An error of a form without a field. It scrolls into view, because the form may be taller than the screen. */
export function FormError({ text }: { text: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
  }, [text])
  return (
    <p ref={box} role="alert" className="size-13 primary radius-8 on-bad p-8-12">
      {text}
    </p>
  )
}

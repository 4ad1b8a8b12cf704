import type { PointerEvent } from 'react'

/**
 * Sets the full text as a tooltip on truncated elements when they are hovered. Rows reuse elements, so the tooltip of a previous text is updated.
 */
export function titleWhenCut({ target, currentTarget }: PointerEvent): void {
  if (!(target instanceof Element)) return
  for (let each: Element | null = target; each instanceof HTMLElement && each !== currentTarget; each = each.parentElement) {
    const said = each.hasAttribute('data-said')
    if (each.title !== '' && !said) return
    if (!said && getComputedStyle(each).overflowX === 'visible') continue
    const cut = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1
    each.toggleAttribute('data-said', cut)
    if (cut) each.title = each.innerText.trim()
    else if (said) each.removeAttribute('title')
    if (cut) return
  }
}

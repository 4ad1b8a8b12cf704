import type { PointerEvent } from 'react'

/**
 * Says the whole of a text that has no room, to anyone who points at it. Rows take their elements from one another, so what was said of
 * another text is looked at again.
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

/** What the table walk queries in the page; all of it runs in the page. */
export interface TableProbe {
  /** Rendering errors of the tables, after each was scrolled to its ends; `tables` are those with rows. */
  look(): Promise<{ tables: string[]; faults: string[] }>
  /** Truncated texts outside tables without a title that shows the rest, and pages wider than the screen. */
  cutOff(): string[]
  /** Tables that need horizontal scrolling. */
  wider(): string[]
  /** The sum of layout shifts since the last call, and what moved. */
  shifts(): { sum: number; moved: string[] }
}

declare global {
  interface Window {
    tables: TableProbe
  }
}

export function installTableProbe(): void {
  const moved: string[] = []
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    })[]) {
      if (entry.hadRecentInput) continue
      sum += entry.value
      for (const { node } of entry.sources) {
        const element = node instanceof Element ? node : node?.parentElement
        moved.push(
          `${entry.value.toFixed(4)} ${element?.localName ?? ''}.${element?.className ?? ''} ${element?.textContent.slice(0, 40) ?? ''}`,
        )
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const frames = async (): Promise<void> => {
    for (let each = 0; each < 3; each += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  const rowsOf = (grid: Element): Element[] =>
    [...grid.querySelectorAll('[role=row][data-id]:not([data-special])')].toSorted(
      (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
    )
  /** Rows that are fully visible below the header. */
  const seenRows = (grid: Element): Element[] => {
    const head = grid.querySelector('[role=columnheader]')?.getBoundingClientRect()
    const box = grid.getBoundingClientRect()
    return rowsOf(grid).filter((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return top >= (head?.bottom ?? box.top) - 1 && bottom <= Math.min(box.bottom, innerHeight) + 1
    })
  }
  const words = (element: Element): string => element.textContent.trim().slice(0, 50)

  /** The visible lines of text, clipped by their containers. */
  const lines = (root: Element): { box: DOMRect; node: Node; of: Element }[] => {
    const found: { box: DOMRect; node: Node; of: Element }[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const of = node.parentElement
      if (of === null || node.textContent?.trim() === '' || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        let [left, right, top, bottom] = [rect.left, rect.right, rect.top, rect.bottom]
        for (let each: Element | null = of; each !== null && root.contains(each); each = each.parentElement) {
          if (getComputedStyle(each).overflowX === 'visible') continue
          const clip = each.getBoundingClientRect()
          ;[left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)]
          ;[top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)]
        }
        if (right - left > 1 && bottom - top > 1) found.push({ box: new DOMRect(left, top, right - left, bottom - top), node, of })
      }
    }
    return found
  }
  const overlaps = (root: Element): string[] => {
    // Content scrolled below the sticky name column is meant to be covered by it.
    const pinned = Math.max(0, ...[...root.querySelectorAll('[data-pinned]')].map((each) => each.getBoundingClientRect().right))
    const all = lines(root).filter(({ box, of }) => of.closest('[data-pinned]') !== null || box.left >= pinned)
    const faults: string[] = []
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) {
        // Wrapped text counts as one.
        if (one.node === other.node) continue
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (width > 1.5 && height > 2)
          faults.push(
            `“${one.node.textContent?.trim() ?? ''}” in ${one.of.className} lies over “${other.node.textContent?.trim() ?? ''}” in ${other.of.className}`,
          )
      }
    }
    return faults
  }
  /** Truncated texts without a tooltip that shows the rest. */
  const cut = (root: Element): string[] => {
    const faults: string[] = []
    for (const element of [root, ...root.querySelectorAll('*')]) {
      const style = getComputedStyle(element)
      if (style.overflowX === 'visible' || element.matches('input, textarea, select, svg, svg *')) continue
      const clip = element.getBoundingClientRect()
      const beyond = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2
      // Texts for screen readers have a box of only one pixel.
      if (!beyond || clip.width <= 1 || words(element) === '' || !element.checkVisibility({ visibilityProperty: true })) continue
      if (/auto|scroll/.test(style.overflowX)) continue
      element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
      const said = element.closest('[title]') ?? element.querySelector('[title]')
      if (said === null || said.getAttribute('title') === '') faults.push(`“${words(element)}” is cut off`)
    }
    return faults
  }

  const isPinned = (cell: Element): boolean => getComputedStyle(cell).position === 'sticky'
  /** Checks each column, scrolled into view: its header and cells align, and both are painted. */
  const lookAtColumns = (grid: HTMLElement, fault: (what: string) => void): void => {
    const heads = [...grid.querySelectorAll<HTMLElement>('[role=columnheader]')]
    for (const [index, head] of heads.entries()) {
      const title = words(head) === '' ? `column ${index + 1}` : words(head)
      const { left, width } = grid.getBoundingClientRect()
      const right = left + Math.min(grid.clientLeft + grid.clientWidth, width)
      const before = isPinned(head)
        ? 0
        : heads
            .slice(0, index)
            .filter(isPinned)
            .reduce((all, each) => all + each.offsetWidth, 0)
      grid.scrollLeft = 0
      grid.scrollLeft = Math.max(0, Math.ceil(head.getBoundingClientRect().right - right))
      const over = head.getBoundingClientRect()
      if (over.right > right + 1.5) fault(`${title} cannot be scrolled to`)
      for (const row of seenRows(grid).slice(0, 2)) {
        const cell = row.querySelectorAll('[role=gridcell]')[index]
        const under = cell?.getBoundingClientRect()
        const aligned = under !== undefined && Math.abs(under.left - over.left) < 1.5 && Math.abs(under.width - over.width) < 1.5
        if (cell === undefined || !aligned) {
          fault(`below ${title} there is no cell of its own`)
          continue
        }
        const middle = (Math.max(over.left, left + before) + Math.min(over.right, right)) / 2
        for (const [what, part] of [
          ['head', head],
          ['cell', cell],
        ] as const) {
          const { top, height } = part.getBoundingClientRect()
          const painted = document.elementFromPoint(middle, top + height / 2)
          if (painted === null || !part.contains(painted))
            fault(`the ${what} of ${title} is not painted: ${painted?.className ?? 'nothing'} is`)
        }
      }
    }
  }
  const lookAt = async (grid: HTMLElement): Promise<string[]> => {
    const faults = new Set<string>()
    const fault = (what: string) => faults.add(`${grid.getAttribute('aria-label') ?? ''}: ${what}`)
    for (const vertical of [0, grid.scrollHeight]) {
      grid.scrollTop = vertical
      await frames()
      lookAtColumns(grid, fault)
      for (const horizontal of [grid.scrollWidth, 0]) {
        grid.scrollLeft = horizontal
        for (const row of seenRows(grid).slice(0, 3)) for (const what of [...overlaps(row), ...cut(row)]) fault(what)
        for (const head of grid.querySelectorAll('[role=columnheader]')) for (const what of cut(head)) fault(what)
      }
    }
    grid.scrollTop = 0
    await frames()
    return [...faults]
  }

  const lookAtCards = (list: HTMLElement): string[] => {
    const name = list.getAttribute('aria-label') ?? ''
    const faults = new Set<string>()
    for (const card of [...list.children].slice(0, 4)) {
      for (const what of [...overlaps(card), ...cut(card)]) faults.add(`${name}: ${what}`)
      if (card.getBoundingClientRect().right > innerWidth + 1) faults.add(`${name}: a card is wider than the screen`)
    }
    return [...faults]
  }

  window.tables = {
    async look() {
      const tables: string[] = []
      const faults: string[] = []
      const grids = [...document.querySelectorAll<HTMLElement>('[role=grid]')].filter((grid) => rowsOf(grid).length > 0)
      for (const grid of grids) {
        grid.scrollIntoView({ block: 'center' })
        tables.push(grid.getAttribute('aria-label') ?? '')
        faults.push(...(await lookAt(grid)))
      }
      for (const cards of document.querySelectorAll<HTMLElement>('main [role=list][aria-label]:has(> [aria-posinset])')) {
        tables.push(cards.getAttribute('aria-label') ?? '')
        faults.push(...lookAtCards(cards))
      }
      return { tables, faults }
    },
    cutOff() {
      const { scrollWidth, clientWidth } = document.documentElement
      const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []
      for (const part of document.querySelectorAll('header, main > :not([role=grid])')) faults.push(...cut(part))
      return [...new Set(faults)]
    },
    wider: () =>
      [...document.querySelectorAll<HTMLElement>('[role=grid]')]
        .filter((grid) => grid.scrollWidth > grid.clientWidth + 1)
        .map((grid) => `${grid.getAttribute('aria-label') ?? ''}: ${grid.scrollWidth} > ${grid.clientWidth}`),
    shifts() {
      const found = { sum, moved: moved.splice(0) }
      sum = 0
      return found
    },
  }
}

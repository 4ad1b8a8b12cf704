/** What the layer walk queries in the page; all of it runs in the page. */
export interface LayerProbe {
  /** Names of the open layers, the topmost last. */
  layers(): string[]
  /** Controls that may open something, in the topmost layer or in the page. */
  controls(): Control[]
  /** Where a control can be clicked; null if it is gone. */
  point(key: string): Place | null
  focus(key: string): boolean
  /** Where the focus is: on the control, in the topmost layer, on the main area, nowhere, or elsewhere. */
  focused(key: string): 'opener' | 'layer' | 'page' | 'lost' | 'elsewhere'
  /** A point where a click does nothing except close the given number of layers. */
  neutral(depth: number): Place | null
  /** Resolves when the page has been idle for the given time, or when it does not settle. */
  quiet(ms: number): Promise<void>
  dropToasts(): void
  /** The options that are not selected in the open list. */
  option(): (Place & { several: boolean }) | null
  /** Selects all rows or none; null if rows are not selectable, false if there is nothing to change. */
  select(all: boolean): boolean | null
  /** URLs of the other tabs of this page. */
  tabs(): string[]
}

export interface Control {
  /** Identifies the control by its role and label, and is stable across renders. */
  readonly key: string
  /** The same for every row of a list; null for a unique control. */
  readonly kin: string | null
  /** Part of the page frame, on every page. */
  readonly frame: boolean
  readonly kind: 'combobox' | 'button' | 'menuitem' | 'row'
  readonly popup: string | null
}

interface Place {
  x: number
  y: number
}

declare global {
  interface Window {
    probe: LayerProbe
  }
}

export function installProbe(): void {
  const layer = '[role=dialog], [role=menu], [role=listbox], [role=alertdialog]'
  const control = 'button, [role=button], [aria-haspopup], [role=combobox], [role=menuitem], summary, [role=grid] [role=row][data-id]'
  /** Controls that select, submit or navigate, and elements that disappear after a timeout. */
  const otherwise =
    '[type=submit], [aria-pressed], a[href], select, [disabled], [aria-disabled=true], [data-disabled], [role=switch], [role=tab], [role=radio], [role=checkbox], [role=option], .mantine-Notifications-root *, .mantine-Input-section *, .mantine-Spotlight-action'
  const pressable =
    'a, button, input, select, textarea, label, summary, [role=row], [role=menuitem], [role=option], [role=gridcell], [tabindex="0"]'
  const quietOnes = '[aria-busy=true], [class*=skeleton], [data-loading]'

  const shown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    const seen = width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
    return seen && element.closest('[inert], [aria-hidden=true]') === null
  }
  /** Only the outermost: the list of a field in a dialog is rendered outside the dialog, the calendar of a popover inside it. */
  const layers = (): Element[] =>
    [...document.querySelectorAll(layer)].filter(
      (each) => shown(each) && each.parentElement?.closest(layer) == null && each.closest('main') === null,
    )
  const words = (element: Element): string => {
    const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? element.placeholder) : element.textContent
    return (element.getAttribute('aria-label') ?? label).replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  }
  const nameOf = (element: Element): string => {
    const by = document.getElementById(element.getAttribute('aria-labelledby') ?? '')
    return `${element.role ?? ''} ${element.getAttribute('aria-label') ?? by?.textContent ?? ''}`.slice(0, 80)
  }
  const own = (element: Element): string => [...element.classList].filter((each) => !/^m(?:_|antine-)/.test(each)).join(' ')
  const kinOf = (element: Element): string | null => {
    const grid = element.closest('[role=grid]')
    if (element.matches('[role=row]')) return `row of ${grid?.getAttribute('aria-label') ?? ''}`
    const repeated = element.closest('li, tr, [role=row], [role=listitem], article')
    if (repeated === null || repeated.closest('nav, [role=menu]') !== null) return null
    const list = repeated.parentElement?.closest('[aria-label], [aria-labelledby], section')
    const icon = element.querySelector('svg')?.getAttribute('class') ?? ''
    return `${own(element)} ${icon} in ${list?.getAttribute('aria-label') ?? (list == null ? '' : own(list))}`
  }
  const inFrame = (element: Element): boolean =>
    document.querySelector('main') !== null && element.closest(`main, [data-portal], ${layer}`) === null
  /** The name of a filter includes its value. */
  const withoutChoice = (name: string): string => name.split(':')[0] ?? ''
  const keyOf = (element: Element): string => {
    const kin = kinOf(element)
    if (element.matches('[role=row]')) return kin ?? ''
    const popup = element.getAttribute('aria-haspopup')
    if (popup === 'listbox') return `list ${withoutChoice(words(element))}`
    const name = popup !== null && kin === null ? withoutChoice(words(element)) : words(element)
    // Times change: “02:07” may be “02:08” at the next look-up.
    return `${inFrame(element) ? 'frame ' : ''}${kin ?? element.localName} “${name.replaceAll(/\d+/g, '0')}”`
  }
  const found = (): Map<string, Element> => {
    const all = new Map<string, Element>()
    for (const element of (layers().at(-1) ?? document.body).querySelectorAll(control)) {
      const within = element.parentElement?.closest(control)
      if (element.matches(otherwise) || !shown(element) || (within != null && !within.matches('[role=row]'))) continue
      const key = keyOf(element)
      if (!all.has(key)) all.set(key, element)
    }
    return all
  }
  const middleOf = (element: Element): Place => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  }

  /** Whether a render is due: React reveals loaded content with a delay of up to 300 ms. */
  const due = new Set<number>()
  const { setTimeout: later, clearTimeout: never } = window
  window.setTimeout = ((run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]): number => {
    if (delay < 10 || delay > 350) return later(run, delay, ...args)
    const id = later(() => {
      due.delete(id)
      run(...args)
    }, delay)
    due.add(id)
    return id
  }) as typeof setTimeout
  window.clearTimeout = ((id: number) => {
    due.delete(id)
    never(id)
  }) as typeof clearTimeout

  window.probe = {
    layers: () => layers().map(nameOf),
    controls: () =>
      [...found()].map(([key, element]) => ({
        key,
        kin: kinOf(element),
        frame: inFrame(element),
        kind: element.matches('[role=row]') ? 'row' : ((element.role ?? 'button') as Control['kind']),
        popup: element.getAttribute('aria-haspopup'),
      })),
    point(key) {
      const element = found().get(key)
      if (element === undefined) return null
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      if (!element.matches('[role=row]')) return middleOf(element)
      const cells = [...element.querySelectorAll('[role=gridcell][data-column]')]
      const plain = cells.find((cell) => shown(cell) && cell.querySelector('a, button, input, label, [data-no-open]') === null)
      return plain === undefined ? null : middleOf(plain)
    },
    focus(key) {
      const element = found().get(key)
      const target = element?.matches('[role=row]') ? element.closest('[role=grid]') : element
      if (!(target instanceof HTMLElement)) return false
      target.focus()
      return document.activeElement === target
    },
    focused(key) {
      const { activeElement: active } = document
      if (active === null || active === document.body || !active.isConnected) return 'lost'
      const isOpener = (each: Element) => each.contains(active) || (each.matches('[role=row]') && active.contains(each))
      if ([...document.querySelectorAll(control)].some((each) => keyOf(each) === key && isOpener(each))) return 'opener'
      const top = layers().at(-1)
      // The search field of a list is outside it.
      if ((top?.closest('[data-position]') ?? top)?.contains(active)) return 'layer'
      return active.matches('main') ? 'page' : 'elsewhere'
    },
    neutral(depth) {
      const [under, over] = [layers()[depth - 1], layers().slice(depth)]
      if (over[0]?.ariaModal === 'true') return { x: 3, y: 3 }
      const area = (under ?? document.querySelector('main') ?? document.body).getBoundingClientRect()
      for (let y = area.top + 6; y < Math.min(area.bottom, innerHeight) - 4; y += 12) {
        for (let x = area.left + 6; x < Math.min(area.right, innerWidth) - 4; x += 24) {
          const at = document.elementFromPoint(x, y)
          if (at === null || at.closest(pressable) !== null || at.closest('[data-position]') !== null) continue
          if (over.every((each) => !each.contains(at))) return { x, y }
        }
      }
      return null
    },
    quiet: (ms) =>
      new Promise((resolve) => {
        const begun = performance.now()
        let since = begun
        const observer = new MutationObserver(() => {
          since = performance.now()
        })
        observer.observe(document, { subtree: true, childList: true, attributes: true })
        const look = (): void => {
          const now = performance.now()
          const still = now - since >= ms && due.size === 0 && document.querySelector(quietOnes) === null
          if (!still && now - begun < 3000) return void requestAnimationFrame(look)
          observer.disconnect()
          resolve()
        }
        requestAnimationFrame(look)
      }),
    dropToasts() {
      for (const close of document.querySelectorAll<HTMLElement>('.mantine-Notifications-root button')) close.click()
    },
    option() {
      const list = layers().at(-1)
      const option = [...(list?.querySelectorAll('[role=option]') ?? [])].find((each) => shown(each) && each.ariaSelected !== 'true')
      if (list === undefined || option === undefined) return null
      const several =
        list.closest('[data-position]')?.querySelector('[aria-multiselectable=true]') ??
        document.activeElement?.closest('.mantine-MultiSelect-root')
      return { ...middleOf(option), several: several != null }
    },
    select(all) {
      const box = document.querySelector<HTMLInputElement>('main [role=columnheader] input[type=checkbox]')
      if (box === null) return null
      const changes = box.checked !== all || box.indeterminate
      // The first click on a partial selection selects all rows.
      if (changes) box.click()
      if (box.checked !== all) box.click()
      return changes
    },
    tabs: () =>
      [...document.querySelectorAll<HTMLAnchorElement>('main nav a[href]:not([aria-current])')]
        .filter(({ pathname }) => pathname === location.pathname)
        .map(({ pathname, search }) => pathname + search),
  }
}

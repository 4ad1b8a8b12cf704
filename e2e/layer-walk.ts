import type { Page, Request } from 'playwright/test'
import { appRouter } from '#server/transports/trpc/router.ts'
import type { Control } from './layer-probe.ts'
import { installProbe } from './layer-probe.ts'

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const changes = (name: string): boolean => procedures[name]?._def.type === 'mutation' && !/preview/i.test(name)

/** Longer than the focus takes to return. */
const quietAtLeastMs = 30
/** React shows what was suspended up to 300 ms after its code has loaded. */
const scriptMs = 400

/** How many of the rows of a list are tried: their controls may differ by row. */
const eachKin = 3

/** Runs in the page. Playwright's own mechanism would parse every script again at every load. */
function letNothingChange(names: readonly string[]): void {
  const original = fetch
  const forbidden = new Set(names)
  const guarded: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    const asked = pathname.startsWith('/trpc/') ? pathname.slice('/trpc/'.length).split(',') : []
    if (asked.some((name) => forbidden.has(name))) throw new TypeError('Failed to fetch')
    return original(input, init)
  }
  Object.assign(window, { fetch: guarded })
}

/** Walks over the controls of pages and tries what each of them opens. Write requests are blocked. */
export class LayerWalk {
  readonly faults: string[] = []
  /** The controls that open something, and what they open, so that a walk that finds no controls does not pass. */
  readonly opened = new Map<string, string>()
  readonly #page: Page
  readonly #tried = new Set<string>()
  #where = ''
  /** The path after a possible redirect. */
  #path = ''
  readonly #kin = new Map<string, number>()
  readonly #tabs = new Set<string>()
  readonly #chosen = new Set<string>()
  #frame = false
  #selecting = false
  #asked = 0
  #scriptAt = 0
  readonly #pending = new Set<Request>()

  constructor(page: Page) {
    this.#page = page
  }

  async begin(): Promise<void> {
    const page = this.#page
    await page.addInitScript(installProbe)
    await page.addInitScript(letNothingChange, Object.keys(procedures).filter(changes))
    page.on('request', (request) => {
      // The event stream and unread responses never finish.
      if (/live\.events|api\/health/.test(request.url())) return
      this.#asked += 1
      this.#pending.add(request)
    })
    page.on('requestfinished', (request) => {
      this.#pending.delete(request)
      if (request.resourceType() === 'script') this.#scriptAt = Date.now()
    })
    page.on('requestfailed', (request) => this.#pending.delete(request))
    page.on('dialog', (dialog) => void dialog.dismiss())
  }

  async #load(): Promise<void> {
    this.#pending.clear()
    await this.#page.goto(this.#where)
    await this.#arrive()
  }
  /** Loads the panel for the first path only; later paths are client-side navigations. */
  async #open(address: string): Promise<void> {
    const loaded = this.#where !== ''
    this.#where = address
    if (!loaded) return this.#load()
    await this.#page.evaluate((url) => history.pushState({}, '', url), address)
    await this.#arrive()
  }
  async #arrive(): Promise<void> {
    await this.#settle()
    await this.#page.getByRole('heading', { level: 1 }).first().waitFor()
    await this.#settle()
    this.#path = await this.#pathname()
  }

  /** Walks over the page frame. */
  async frame(address: string): Promise<void> {
    await this.#open(address)
    this.#frame = true
    await this.#controls([])
    this.#frame = false
  }

  /** Walks over a page and its tabs: all controls, those that appear when rows are selected, and one option of every list. */
  async page(address: string): Promise<void> {
    await this.#open(address)
    const tabs = await this.#page.evaluate(() => window.probe.tabs())
    await this.#controls([])
    this.#selecting = true
    if (await this.#select(true)) await this.#controls([])
    this.#selecting = false
    await this.#select(false)
    await this.#choices()
    for (const tab of tabs) {
      // The other parameters of the URL are the state of this page.
      const { pathname, searchParams } = new URL(tab, 'http://x')
      const name = `${pathname} ${searchParams.get('tab') ?? ''}`
      if (this.#tabs.has(name)) continue
      this.#tabs.add(name)
      await this.page(tab)
    }
  }

  /** Selects all rows or none; false if rows are not selectable. */
  async #select(all: boolean): Promise<boolean> {
    const changed = await this.#page.evaluate((each) => window.probe.select(each), all)
    if (changed === true) await this.#settle()
    return changed !== null
  }
  /** Waits until nothing moves and no request is pending. */
  async #settle(): Promise<void> {
    const until = Date.now() + 5000
    let asked: number
    do {
      asked = this.#asked
      const quietMs = Math.max(quietAtLeastMs, this.#scriptAt + scriptMs - Date.now())
      // A control may navigate away.
      await this.#page.evaluate((ms) => window.probe.quiet(ms), quietMs).catch(() => this.#page.waitForLoadState())
    } while ((this.#pending.size > 0 || asked !== this.#asked) && Date.now() < until)
    if (this.#pending.size > 0)
      this.faults.push(`${this.#where}: no answer from ${[...this.#pending].map((each) => each.url()).join(', ')}`)
  }
  /** The same name can be a different control on another kind of page. */
  readonly #here = (key: string): string => `${this.#path.split('/').slice(0, 3).join('/')} ${key}`
  readonly #layers = (): Promise<string[]> => this.#page.evaluate(() => window.probe.layers())
  #fault(path: Path, what: string): void {
    this.faults.push(`${this.#where} › ${path.map(({ key }) => key).join(' › ')}: ${what}`)
  }

  async #controls(path: Path): Promise<void> {
    for (;;) {
      const all = await this.#page.evaluate(() => window.probe.controls())
      const next = all.find(
        ({ key, kin, frame }) =>
          (path.length > 0 || frame === this.#frame) &&
          !this.#tried.has(this.#here(key)) &&
          (kin === null || (this.#kin.get(this.#here(kin)) ?? 0) < eachKin),
      )
      if (next === undefined) return
      this.#tried.add(this.#here(next.key))
      if (next.kin !== null) this.#kin.set(this.#here(next.kin), (this.#kin.get(this.#here(next.kin)) ?? 0) + 1)
      await this.#try([...path, next])
      if (!(await this.#restore(path))) return
    }
  }

  /** Reopens the layers that lead to the control. */
  async #restore(path: Path): Promise<boolean> {
    await this.#page.evaluate(() => window.probe.dropToasts())
    const away = await this.#left()
    const names = await this.#layers()
    const layers = names.length
    const last = path.at(-1)
    const other = layers === depthOf(path) && last !== undefined && names.at(-1) !== this.opened.get(this.#here(last.key))
    if (away || other || layers > depthOf(path)) {
      await this.#load()
    } else if (layers > 0 && layers === depthOf(path)) return true
    if (this.#selecting) await this.#select(true)
    // The controls below the layer that is still open are covered.
    const open = away || other || layers > depthOf(path) ? 0 : layers
    for (const control of path.slice(open)) if (!(await this.#press(control))) return false
    return (await this.#layers()).length === depthOf(path)
  }

  async #press(control: Control): Promise<boolean> {
    const point = await this.#page.evaluate((key) => window.probe.point(key), control.key)
    if (point === null) return false
    await this.#page.mouse.click(point.x, point.y)
    await this.#settle()
    return true
  }

  async #pressKey(control: Control): Promise<boolean> {
    if (!(await this.#page.evaluate((key) => window.probe.focus(key), control.key))) return false
    for (const key of control.kind === 'combobox' ? ['ArrowDown'] : control.kind === 'row' ? ['ArrowDown', 'Enter'] : ['Enter'])
      await this.#page.keyboard.press(key)
    await this.#settle()
    return true
  }

  async #try(path: Path): Promise<void> {
    const control = path.at(-1)
    if (control === undefined) return
    const before = await this.#layers()
    // A menu closes after an item is selected.
    const under = control.kind === 'menuitem' ? before.slice(0, -1) : before
    if (!(await this.#press(control))) return
    const after = await this.#layers()
    if (after.length <= under.length || after.join() === before.join()) {
      if (await this.#left()) return
      if (control.kind === 'menuitem') return this.#expectClosed(path, 'choice', under)
      if (control.popup !== null && after.join() === before.join()) this.#fault(path, 'opens nothing by mouse')
      return
    }
    this.opened.set(this.#here(control.key), after.at(-1) ?? '')
    await this.#expectOpen(path, 'mouse', under)
    if (depthOf(path) < 3) await this.#controls(path)
    if (await this.#restore(path)) await this.#leave(path, 'Escape', under)
    if (control.kin !== null && this.#kin.get(this.#here(control.kin)) !== 1) return
    const again =
      control.kind === 'menuitem' ? (await this.#restore(path.slice(0, -1))) && (await this.#press(control)) : await this.#pressKey(control)
    if (!again) return this.#fault(path, 'does not open again')
    await this.#expectOpen(path, control.kind === 'menuitem' ? 'mouse' : 'keyboard', under)
    await this.#leave(path, 'outside', under)
    if (control.popup === 'listbox' && path.length > 1 && (await this.#press(control))) await this.#choose(path, under)
  }
  readonly #pathname = (): Promise<string> => this.#page.evaluate(() => location.pathname)
  readonly #left = async (): Promise<boolean> => (await this.#pathname()) !== this.#path

  async #expectOpen(path: Path, how: string, under: readonly string[]): Promise<void> {
    const layers = await this.#layers()
    if (layers.length !== under.length + 1 || !under.every((each, index) => layers[index] === each))
      this.#fault(path, `by ${how} opens [${layers.join(' | ')}] over [${under.join(' | ')}]`)
    const focus = await this.#focused(path)
    if (focus !== 'layer' && focus !== 'opener') this.#fault(path, `opened by ${how}, the focus is ${focus}`)
  }

  async #leave(path: Path, how: 'Escape' | 'outside' | 'choice', under: readonly string[]): Promise<void> {
    if (how === 'Escape') await this.#page.keyboard.press('Escape')
    if (how === 'outside') {
      const place = await this.#page.evaluate((over) => window.probe.neutral(over), under.length)
      if (place === null) return this.#fault(path, 'there is no place beside it')
      await this.#page.mouse.click(place.x, place.y)
    }
    await this.#settle()
    await this.#expectClosed(path, how, under)
  }
  async #expectClosed(path: Path, how: 'Escape' | 'outside' | 'choice', under: readonly string[]): Promise<void> {
    const layers = await this.#layers()
    if (layers.join('\n') !== under.join('\n')) {
      this.#fault(path, `${how} leaves [${layers.join(' | ')}] instead of [${under.join(' | ')}]`)
      return
    }
    const focus = await this.#focused(path)
    // A click beside a popover moves the focus to the clicked place.
    if (focus !== 'opener' && !(how === 'outside' && (focus === 'page' || focus === 'lost' || focus === 'layer')))
      this.#fault(path, `after ${how} the focus is ${focus}`)
  }
  #focused(path: Path): Promise<string> {
    const opener = path.findLast(({ kind }) => kind !== 'menuitem') ?? path[0]
    return this.#page.evaluate((key) => window.probe.focused(key), opener?.key ?? '')
  }

  /** Selects an option of the open list. */
  async #choose(path: Path, under: readonly string[]): Promise<void> {
    const selected = await this.#page.evaluate(() => window.probe.option())
    if (selected !== null) {
      await this.#page.mouse.click(selected.x, selected.y)
      await this.#settle()
    }
    await this.#leave(path, selected === null || selected.several ? 'Escape' : 'choice', under)
  }

  async #choices(): Promise<void> {
    for (const control of await this.#page.evaluate(() => window.probe.controls())) {
      if (control.popup !== 'listbox' || control.frame || this.#chosen.has(this.#here(control.key))) continue
      this.#chosen.add(this.#here(control.key))
      if (!(await this.#press(control))) continue
      await this.#choose([control], [])
    }
  }
}

type Path = readonly Control[]
const depthOf = (path: Path): number => path.filter(({ kind }) => kind !== 'menuitem').length

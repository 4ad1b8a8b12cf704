import type { Page, Request } from 'playwright/test'
import { appRouter } from '#server/transports/trpc/router.ts'
import type { Control } from './layer-probe.ts'
import { installProbe } from './layer-probe.ts'

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const changes = (name: string): boolean => procedures[name]?._def.type === 'mutation' && !/preview/i.test(name)

/** Longer than the focus takes to come back. */
const quietAtLeastMs = 30
/** What a new script brings, React may show only so much later. */
const revealMs = 350
const revealAtMostMs = 1500

/** Of what every row of a list has, so many are tried: they may differ by what the row is. */
const eachKin = 2

/** Goes over the controls of pages and tries what each of them opens. Nothing that a control asks of the server to change is let through. */
export class LayerWalk {
  readonly faults: string[] = []
  /** Controls that open something, and what: so that a walk that finds nothing cannot pass for one that finds no fault. */
  readonly opened = new Map<string, string>()
  readonly tried = new Set<string>()
  readonly #page: Page
  #where = ''
  readonly #kin = new Map<string, number>()
  readonly #tabs = new Set<string>()
  readonly #chosen = new Set<string>()
  #selected = false
  #asked = 0
  #scriptAt = 0
  readonly #pending = new Set<Request>()

  constructor(page: Page) {
    this.#page = page
  }

  async begin(): Promise<void> {
    const page = this.#page
    await page.addInitScript(installProbe)
    await page.route(/\/trpc\//, async (route) => {
      const names = new URL(route.request().url()).pathname.replace('/trpc/', '').split(',')
      if (names.some(changes)) await route.abort()
      else await route.fallback()
    })
    page.on('request', (request) => {
      // Neither the stream of events nor an answer that nobody reads ends.
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

  async open(address: string): Promise<void> {
    this.#where = address
    this.#pending.clear()
    await this.#page.goto(address)
    await this.#page.getByRole('heading', { level: 1 }).first().waitFor()
    await this.#settle()
  }

  /** A page and its tabs: all its controls, those that come when rows are selected, and a choice in every list that it opens. */
  async page(address: string): Promise<void> {
    await this.open(address)
    await this.#controls([])
    this.#selected = await this.#selectAll()
    if (this.#selected) {
      await this.#controls([])
      this.#selected = false
      await this.open(address)
    }
    await this.#choices()
    for (const tab of await this.#page.evaluate(() => window.probe.tabs())) {
      // What else is in the address is this page's choice.
      const { pathname, searchParams } = new URL(tab, 'http://x')
      const name = `${pathname} ${searchParams.get('tab') ?? ''}`
      if (this.#tabs.has(name)) continue
      this.#tabs.add(name)
      await this.page(tab)
    }
  }

  async #selectAll(): Promise<boolean> {
    const some = await this.#page.evaluate(() => window.probe.selectAll())
    await this.#settle()
    return some
  }

  /** Until nothing moves and nothing is asked any more. */
  async #settle(): Promise<void> {
    const until = Date.now() + 5000
    let asked: number
    do {
      asked = this.#asked
      const quietMs = Math.max(quietAtLeastMs, this.#scriptAt + revealMs - Date.now())
      // A control may lead away.
      await this.#page.evaluate((ms) => window.probe.quiet(ms), quietMs).catch(() => this.#page.waitForLoadState())
    } while ((this.#pending.size > 0 || asked !== this.#asked) && Date.now() < until)
    if (this.#pending.size > 0)
      this.faults.push(`${this.#where}: no answer from ${[...this.#pending].map((each) => each.url()).join(', ')}`)
  }
  readonly #layers = (): Promise<string[]> => this.#page.evaluate(() => window.probe.layers())
  #fault(path: Path, what: string): void {
    this.faults.push(`${this.#where} › ${path.map(({ key }) => key).join(' › ')}: ${what}`)
  }

  async #controls(path: Path): Promise<void> {
    for (;;) {
      const all = await this.#page.evaluate(() => window.probe.controls())
      const next = all.find(({ key, kin }) => !this.tried.has(key) && (kin === null || (this.#kin.get(kin) ?? 0) < eachKin))
      if (next === undefined) return
      this.tried.add(next.key)
      if (next.kin !== null) this.#kin.set(next.kin, (this.#kin.get(next.kin) ?? 0) + 1)
      const known = this.faults.length
      await this.#try([...path, next])
      // A busy machine may draw late: what is at fault is at fault on a fresh page, too.
      if (this.faults.length > known) {
        this.faults.splice(known)
        await this.#reopen()
        if (await this.#restore(path)) await this.#try([...path, next])
        else this.#fault([...path, next], 'is not reached again')
      }
      if (!(await this.#restore(path))) return
    }
  }

  async #reopen(): Promise<void> {
    await this.open(this.#where)
    if (this.#selected) await this.#selectAll()
  }

  /** Back to what the controls on the way there have opened. */
  async #restore(path: Path): Promise<boolean> {
    await this.#page.evaluate(() => window.probe.dropToasts())
    const away = new URL(this.#page.url()).pathname !== new URL(this.#where, 'http://x').pathname
    const names = await this.#layers()
    const layers = names.length
    const last = path.at(-1)
    const other = layers === depthOf(path) && last !== undefined && names.at(-1) !== this.opened.get(last.key)
    if (away || other || layers > depthOf(path)) {
      await this.#reopen()
    } else if (layers === depthOf(path)) return true
    for (const control of path) if (!(await this.#press(control))) return false
    return (await this.#layers()).length === depthOf(path)
  }

  async #press(control: Control): Promise<boolean> {
    const point = await this.#page.evaluate((key) => window.probe.point(key), control.key)
    if (point === null) return false
    const pressedAt = Date.now()
    const before = await this.#layers()
    await this.#page.mouse.click(point.x, point.y)
    await this.#settle()
    // A machine that is busy draws late what a new script brings.
    while (this.#scriptAt > pressedAt && Date.now() - this.#scriptAt < revealAtMostMs && (await this.#layers()).join() === before.join())
      await this.#page.evaluate((ms) => window.probe.quiet(ms), quietAtLeastMs).catch(() => undefined)
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
    // A menu closes when something is chosen in it.
    const under = control.kind === 'menuitem' ? before.slice(0, -1) : before
    if (!(await this.#press(control))) return
    const after = await this.#layers()
    if (after.length <= under.length || after.join() === before.join()) {
      if (control.popup !== null && after.join() === before.join() && !(await this.#left())) this.#fault(path, 'opens nothing by mouse')
      return
    }
    this.opened.set(control.key, after.at(-1) ?? '')
    await this.#expectOpen(path, 'mouse', under)
    if (depthOf(path) < 3) await this.#controls(path)
    if (await this.#restore(path)) await this.#leave(path, 'Escape', under)
    const again =
      control.kind === 'menuitem' ? (await this.#restore(path.slice(0, -1))) && (await this.#press(control)) : await this.#pressKey(control)
    if (!again) return this.#fault(path, 'does not open again')
    await this.#expectOpen(path, control.kind === 'menuitem' ? 'mouse' : 'keyboard', under)
    await this.#leave(path, 'outside', under)
    if (control.popup === 'listbox' && path.length > 1 && (await this.#press(control))) await this.#choose(path, under)
  }
  readonly #left = async (): Promise<boolean> => new URL(this.#page.url()).pathname !== new URL(this.#where, 'http://x').pathname

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
    const layers = await this.#layers()
    if (layers.join('\n') !== under.join('\n')) {
      this.#fault(path, `${how} leaves [${layers.join(' | ')}] instead of [${under.join(' | ')}]`)
      return
    }
    const focus = await this.#focused(path)
    // A press beside a small window takes the focus where it was pressed.
    if (focus !== 'opener' && !(how === 'outside' && (focus === 'page' || focus === 'lost' || focus === 'layer')))
      this.#fault(path, `after ${how} the focus is ${focus}`)
  }
  #focused(path: Path): Promise<string> {
    const opener = path.findLast(({ kind }) => kind !== 'menuitem') ?? path[0]
    return this.#page.evaluate((key) => window.probe.focused(key), opener?.key ?? '')
  }

  /** Chooses in the list that is open. */
  async #choose(path: Path, under: readonly string[]): Promise<void> {
    const chosen = await this.#page.evaluate(() => window.probe.option())
    if (chosen !== null) {
      await this.#page.mouse.click(chosen.x, chosen.y)
      await this.#settle()
    }
    await this.#leave(path, chosen === null || chosen.several ? 'Escape' : 'choice', under)
  }

  async #choices(): Promise<void> {
    for (const control of await this.#page.evaluate(() => window.probe.controls())) {
      if (control.popup !== 'listbox' || this.#chosen.has(control.key)) continue
      this.#chosen.add(control.key)
      if (!(await this.#press(control))) continue
      await this.#choose([control], [])
    }
  }
}

type Path = readonly Control[]
const depthOf = (path: Path): number => path.filter(({ kind }) => kind !== 'menuitem').length

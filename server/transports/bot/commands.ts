import { displayName, findDomains, findOne, muteDomain, readStatus, sayCause } from '#server/features/alerts/index.ts'
import type { ChatCtx, Texts } from '#server/features/alerts/index.ts'
import { readCause } from '#shared/features/monitoring/cause.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'

type Command = (ctx: ChatCtx, texts: Texts, text: string) => Promise<readonly string[]>

const mostFound = 5
const signs = { critical: '🔴', warnings: '🟡', ok: '🟢', unknown: '⚪' } as const

const why = ([reason]: readonly Reason[], texts: Texts): string => {
  if (reason === undefined) return ''
  const detail = texts.detail(reason.code, reason.params)
  return ` — ${texts.reason(reason.code).what}${detail === null ? '' : ` (${detail.slice(0, 120)})`}`
}

const since = (at: string | null, ctx: ChatCtx, texts: Texts): string =>
  at === null ? '' : `, ${texts.length(ctx.clock.now() - Date.parse(at))}`

const status: Command = async (ctx, texts) => {
  const { counts, troubles } = await readStatus(ctx)
  const { ok, warnings, critical, unknown } = counts
  if (troubles.length === 0 && critical === 0 && warnings === 0) return [texts.say('bot.ok', { count: ok + unknown })]
  return [
    texts.say('bot.counts', { ok, warnings, critical, unknown }),
    ...troubles.map((trouble) => {
      const { cause, causeName, health, incidents, names, reasons, since: at } = trouble
      const said = sayCause(cause, causeName, texts)
      if (readCause(cause).kind === 'account') return `${signs[health]} ${said ?? ''}${since(at, ctx, texts)}`
      const rest = incidents - names.length
      const some = `${names.map(displayName).join(', ')}${rest > 0 ? ` ${texts.say('names.rest', { count: rest })}` : ''}`
      const shared = said === null || incidents < 2 ? '' : ` — ${said}`
      return `${signs[health]} ${some}${shared}${why(reasons, texts)}${since(at, ctx, texts)}`
    }),
  ]
}

const find: Command = async (ctx, texts, text) => {
  if (text === '') return [texts.say('bot.name_needed')]
  const zones = await findDomains(ctx, text.slice(0, 255), mostFound)
  if (zones.length === 0) return [texts.say('bot.none')]
  return zones.map((zone) =>
    zone.watched
      ? `${signs[zone.health]} ${displayName(zone.name)}${why(zone.reasons ?? [], texts)}${since(zone.since, ctx, texts)}`
      : `⚪ ${texts.say('bot.not_watched', { name: displayName(zone.name) })}`,
  )
}

const unitMinutes = new Map([
  ['m', 1],
  ['м', 1],
  ['мин', 1],
  ['', 60],
  ['h', 60],
  ['ч', 60],
  ['d', 1_440],
  ['д', 1_440],
  ['дн', 1_440],
])

/** `30m`, `2h`, `1d`, also with Russian units; without a unit, hours. Null: `off`; undefined: not a duration. */
function readMinutes(text: string): number | null | undefined {
  if (text === 'off') return null
  const [, amount, unit = ''] = /^(\d{1,4})(\p{L}*)\.?$/u.exec(text) ?? []
  const size = unitMinutes.get(unit)
  if (amount === undefined || size === undefined) return undefined
  const minutes = Number(amount) * size
  return minutes >= 1 && minutes <= 525_600 ? minutes : undefined
}

const mute: Command = async (ctx, texts, text) => {
  const [name = '', ...time] = text.toLowerCase().split(/\s+/)
  const [amount = '2h', unit = ''] = time
  // The unit may be separated: `30 m`. Other words are a note.
  const minutes = readMinutes(amount + unit) ?? readMinutes(amount)
  if (name === '' || minutes === undefined) return [texts.say('bot.mute_needed')]
  const found = await findOne(ctx, name.slice(0, 255))
  if ('several' in found) {
    return found.several.length === 0
      ? [texts.say('bot.none')]
      : [texts.say('bot.several', { names: found.several.map((zone) => displayName(zone.name)).join(', ') })]
  }
  const shown = displayName(found.zone.name)
  if (!found.zone.watched) return [texts.say('bot.not_watched', { name: shown })]
  await muteDomain(ctx, found.zone, minutes)
  if (minutes === null) return [texts.say('bot.unmuted', { name: shown })]
  return [texts.say('bot.muted', { name: shown, time: texts.time(new Date(ctx.clock.now() + minutes * 60_000), ctx.chat.timeZone) })]
}

const help: Command = (_ctx, texts) => Promise.resolve(texts.say('bot.help').split('\n'))

export const commands: Readonly<Record<string, Command>> = { status, find, mute, help, start: help }

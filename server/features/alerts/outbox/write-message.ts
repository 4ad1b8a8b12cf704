import { domainToUnicode } from 'node:url'
import type { ChatMessage } from '#server/ports/messenger.ts'
import { causes, causeValue, isForReview, readCause } from '#shared/features/monitoring/cause.ts'
import type { Reason } from '#shared/features/monitoring/schema.ts'
import { idOfButton } from './message.ts'
import type { ButtonAct, MessageBody, Part } from './message.ts'
import type { Texts } from './texts.ts'
import { isUnfinished } from './update-outage.policy.ts'
import { isIP } from 'node:net'

/** Telegram allows 4,096 characters without markup; the rest is reserved for prefixes. */
const longest = 3_500
const mostReasons = 3
const longestDetail = 120
const longestLine = 250

export interface Written {
  /** One entry per line; the first is the headline. */
  readonly lines: readonly string[]
  /** A path in the panel. */
  readonly path: string
  readonly acts: readonly ButtonAct[]
}

interface Writing {
  readonly texts: Texts
  readonly timeZone: string
}

export const displayName = (name: string): string => domainToUnicode(name) || name

const signs = { critical: '🔴', warnings: '🟡' } as const

/** The text of a message, without markup of a specific receiver. */
export function write(body: MessageBody, writing: Writing): Written {
  switch (body.kind) {
    case 'opened':
      return {
        lines: opened(body, writing),
        path: pathOf(body),
        acts: isForReview(body.cause) ? ['ack'] : isAccount(body) ? ['ack', 'mute'] : ['ack', 'mute', 'check'],
      }
    case 'closed':
      return { lines: closed(body, writing), path: pathOf(body), acts: [] }
    case 'digest':
      return { lines: digest(body.parts, writing), path: '/monitoring', acts: ['ack'] }
    case 'dropped':
      return { lines: [`⚠️ ${writing.texts.say('dropped.text', { count: body.messages })}`], path: '/monitoring', acts: [] }
  }
}

/** The page of the incident that has begun; of one that has ended, that of its domain or cause. */
export function pathOf(part: Part): string {
  if (part.kind === 'opened' && part.incidentId !== undefined) return `/monitoring?incident=${part.incidentId}`
  return part.zoneId === null ? `/monitoring?cause=${encodeURIComponent(part.cause)}` : `/domains/${part.zoneId}/health`
}

const isAccount = ({ cause }: Pick<Part, 'cause'>): boolean => readCause(cause).kind === 'account'

/** Some domains of an outage have recovered: the headline has only their number, even if it is one. */
const isPartial = (part: Part): boolean => part.kind === 'closed' && isUnfinished(part)

/** Concerns accounts and registrars, whose domains presumably still work. */
const isOfCode = (
  { cause }: Part,
  code: 'domains_unlisted' | 'records_unlisted' | 'changed_outside' | 'abuse_reported' | 'clock_wrong',
): boolean => cause === causes.code(code)

function headline(part: Part, { texts }: Writing): string {
  const { count, health } = part
  const name = isAccount(part) ? (part.causeName ?? '') : displayName(part.names[0] ?? '')
  if (part.kind === 'closed') {
    const said = isAccount(part)
      ? texts.say('account.up', { name })
      : part.of !== undefined && part.of > count
        ? texts.say('closed.part', { count, of: part.of })
        : count === 1
          ? texts.say('closed.one', { name })
          : texts.say('closed.many', { count })
    return `🟢 ${said}`
  }
  const said = isAccount(part)
    ? texts.say('account.down', { name })
    : isOfCode(part, 'domains_unlisted')
      ? texts.say('opened.unlisted', { name: part.names.join(', ') })
      : isOfCode(part, 'records_unlisted')
        ? texts.say('opened.unlisted_records', { name: part.names.join(', ') })
        : isOfCode(part, 'changed_outside')
          ? texts.say('opened.changed', { name: part.names.join(', ') })
          : isOfCode(part, 'abuse_reported')
            ? texts.say('opened.abuse', { name: part.names.join(', ') })
            : isOfCode(part, 'clock_wrong')
              ? texts.say('opened.clock', { name: part.names.join(', ') })
              : part.more
                ? texts.say('opened.more', { count })
                : count === 1
                  ? texts.say(`opened.${health}`, { name })
                  : texts.say(`opened.${health}_many`, { count })
  return `${signs[health]} ${said}`
}

/** The common cause of incidents if it is more than a symptom; null otherwise. @param name of the account or registrar */
export function sayCause(cause: string, name: string | null, texts: Texts): string | null {
  const { kind } = readCause(cause)
  return kind === 'code' ? null : texts.say(`cause.${kind}`, { name: name ?? causeValue(cause) })
}

function causeLine(part: Part, { texts }: Writing): string[] {
  const said = (part.count < 2 && !isPartial(part)) || isAccount(part) ? null : sayCause(part.cause, part.causeName, texts)
  return said === null ? [] : [said]
}

function reasonLine({ code, params }: Reason, { texts }: Writing): string {
  const detail = texts.detail(code, params)
  const { what } = texts.reason(code)
  return detail === null ? what : `${what} (${detail.slice(0, longestDetail)})`
}

function reasonLines(part: Part, writing: Writing): string[] {
  // Their headline says what they have in common.
  const said = isForReview(part.cause)
    ? part.reasons.flatMap(({ code, params }) => writing.texts.detail(code, params)?.slice(0, longestLine) ?? [])
    : part.reasons.slice(0, mostReasons).map((reason) => reasonLine(reason, writing))
  const regions = [...new Set(part.reasons.flatMap((reason) => reason.regions))].map((region) => writing.texts.region(region))
  return [...new Set(said), ...(regions.length > 0 ? [writing.texts.say('opened.regions', { regions: regions.join(', ') })] : [])]
}

/** The first names; for an account those of its domains. A single name is in the headline. */
function nameLines(part: Part, { texts }: Writing, most?: number): string[] {
  const names = (isAccount(part) ? part.domains : part.names).slice(0, most)
  const { count } = part
  const inHeadline = !isAccount(part) && count < 2 && !(part.kind === 'opened' && part.more) && !isPartial(part)
  if (inHeadline || names.length === 0) return []
  const rest = count - names.length
  return [`${names.map(displayName).join(', ')}${rest > 0 ? ` ${texts.say('names.rest', { count: rest })}` : ''}`]
}

function opened(part: Extract<Part, { kind: 'opened' }>, writing: Writing): string[] {
  const { texts, timeZone } = writing
  const [gravest] = part.reasons
  const advice = isAccount(part) ? texts.say('account.advice') : gravest === undefined ? null : texts.reason(gravest.code).advice
  return [
    headline(part, writing),
    ...(part.worse ? [texts.say('opened.worse')] : []),
    ...causeLine(part, writing),
    ...(isAccount(part) ? [texts.say('account.domains', { count: part.count })] : []),
    ...reasonLines(part, writing),
    ...nameLines(part, writing),
    texts.say('opened.since', { time: texts.time(new Date(part.since), timeZone) }),
    ...changeLine(part, writing),
    ...updatedLine(part, writing),
    ...(advice === null ? [] : [texts.say('message.advice', { advice })]),
  ]
}

/** `3 min after an operation, Ann: DNS records, 42 domains`. */
function changeLine({ since, change }: Extract<Part, { kind: 'opened' }>, { texts }: Writing): string[] {
  if (change === undefined) return []
  const { at, source, actor, kinds, domains } = change
  const length = texts.length(Math.max(1_000, Date.parse(since) - Date.parse(at)))
  const by = [texts.say(`change.${source}`, { length }), ...(actor === null ? [] : [actor])].join(', ')
  const what = [...kinds.map((kind) => texts.say(`change.kinds.${kind}`)), texts.say('change.domains', { count: domains })]
  return [`${by}: ${what.join(', ')}`]
}

const updatedLine = ({ updatedAt }: Part, { texts, timeZone }: Writing): string[] =>
  updatedAt === undefined ? [] : [texts.say('message.updated', { time: texts.time(new Date(updatedAt), timeZone) })]

function closed(part: Extract<Part, { kind: 'closed' }>, writing: Writing): string[] {
  const { texts } = writing
  const [shortest, most] = [texts.length(part.shortestMs), texts.length(part.longestMs)]
  return [
    headline(part, writing),
    ...causeLine(part, writing),
    ...nameLines(part, writing),
    ...part.reasons.slice(0, 1).map((reason) => reasonLine(reason, writing)),
    shortest === most ? texts.say('closed.length', { length: most }) : texts.say('closed.lengths', { shortest, longest: most }),
    ...updatedLine(part, writing),
  ]
}

/** One line per message, most severe first, as many as fit. */
function digest(parts: readonly Part[], writing: Writing): string[] {
  const { texts } = writing
  const rank = (part: Part) => (part.kind === 'closed' ? 2 : part.health === 'critical' ? 0 : 1)
  const lines = parts
    .toSorted((one, other) => rank(one) - rank(other) || other.count - one.count)
    .map((part) => {
      const [gravest] = part.reasons
      const why = part.kind === 'closed' ? [texts.length(part.longestMs)] : gravest === undefined ? [] : [reasonLine(gravest, writing)]
      return [headline(part, writing), ...causeLine(part, writing), ...nameLines(part, writing, 3), ...why].join(' · ')
    })
  const title = texts.say('digest.title', { count: parts.length })
  const kept: string[] = []
  let length = title.length
  for (const line of lines) {
    if (length + line.length > longest) break
    kept.push(line)
    length += line.length + 1
  }
  const rest = lines.length - kept.length
  return [title, ...kept, ...(rest > 0 ? [texts.say('digest.rest', { count: rest })] : [])]
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

type ChatText = Pick<ChatMessage, 'html' | 'buttons'>

/**
 * The message in a chat's format.
 * @param more `repeated`: it may have arrived before; `plain`: without formatting and buttons, after they were refused
 */
export function writeForChat(
  messageId: string,
  body: MessageBody,
  writing: Writing,
  publicUrl: string,
  more: { readonly repeated: boolean; readonly plain: boolean },
): ChatText {
  const { lines, path, acts } = write(body, writing)
  const { texts } = writing
  const [first = '', ...others] = lines
  const link = panelLink(publicUrl, path)
  const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
  const htmlLines = [
    ...(more.repeated ? [escape(texts.say('message.repeat'))] : []),
    more.plain ? escape(first) : `<b>${escape(first)}</b>`,
    ...cut(others.join('\n')).split('\n').map(escape),
    ...(link.button ? [] : [escape(link.url)]),
  ].filter((line) => line !== '')
  const open = link.button ? [{ text: texts.say('button.open'), url: link.url }] : []
  const pressed = acts.map((act) => ({ text: texts.say(`button.${labels[act]}`), data: idOfButton(act, messageId) }))
  const rows = more.plain ? [] : [pressed.slice(0, 2), [...pressed.slice(2), ...open]].filter((row) => row.length > 0)
  return { html: htmlLines.join('\n'), buttons: rows }
}

const labels = { ack: 'acknowledge', mute: 'mute', check: 'check' } as const

/**
 * A link to the panel. Telegram rejects buttons and links to hosts of a private network, so the address is then plain text.
 */
function panelLink(publicUrl: string, path: string): { readonly url: string; readonly button: boolean } {
  const url = `${publicUrl}${path}`
  const { hostname } = new URL(publicUrl)
  const local = hostname.startsWith('[') || hostname.startsWith('127.') || (isIP(hostname) === 0 && !hostname.includes('.'))
  return { url, button: !local }
}

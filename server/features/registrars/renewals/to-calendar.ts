interface EndingName {
  readonly name: string
  /** 2026-12-31 */
  readonly day: string
  readonly registrar: string
}

const namedAtMost = 3
const listedAtMost = 200

/** RFC 5545: characters that would end a value are escaped with a backslash. */
const text = (value: string) => value.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Lines have at most 75 octets; continuation lines start with a space. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let length = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (length + size > (parts.length === 0 ? 75 : 74)) {
      parts.push(part)
      part = ''
      length = 0
    }
    part += character
    length += size
  }
  return [...parts, part].join('\r\n ')
}

const compact = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, '')

/** An iCalendar file with one all-day event for each day on which names expire. */
export function toCalendar(names: readonly EndingName[], now: Date): string {
  const days = [...Map.groupBy(names, ({ day }) => day)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const events = days.flatMap(([day, ending]) => {
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    const more = ending.length - namedAtMost
    const first = ending.slice(0, namedAtMost).map(({ name }) => name)
    const all = ending.slice(0, listedAtMost).map(({ name, registrar }) => `${name} · ${registrar}`)
    return [
      'BEGIN:VEVENT',
      `UID:${day}@renewals.zonedeck`,
      `DTSTAMP:${compact(now)}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${next.replaceAll('-', '')}`,
      `SUMMARY:${text(more > 0 ? `${first.join(', ')} +${more}` : first.join(', '))}`,
      `DESCRIPTION:${text([...all, ...(ending.length > listedAtMost ? ['…'] : [])].join('\n'))}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
  })
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Zonedeck//Renewals//EN', 'X-WR-CALNAME:Zonedeck', ...events, 'END:VCALENDAR']
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

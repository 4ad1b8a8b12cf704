/** Rows of one question: all figures of a benchmark whose names contain `part`, of which the one closest to its limit (or beyond) is shown. */
type Row = readonly [bench: string, what: string, part: string]
/** Every figure of the benchmark, by its own name. */
type AllOf = readonly [bench: string]

/** What `docs/benchmarks.md` answers, from the tables in `docs/benchmarks-details.md`. A question without figures is left out. */
const questions: Readonly<Record<string, readonly (Row | AllOf)[]>> = {
  'The list of domains': [
    ['domains-list', 'Pages of 50 a second, of any order and filter', ': throughput'],
    ['domains-list', 'A page of 50, of any order and filter, 95th percentile', ': p95'],
    ['client-load', 'First rows in Chromium', 'first rows'],
    ['client-load', 'Rows in the document while scrolling', 'rows in the document'],
    ['domain-details', 'Details of one domain', 'details from the mirror'],
  ],
  Counts: [['domains-counts', 'Tiles and filter counts, median', ': median']],
  Search: [
    ['domains-counts', 'Counts of what a search finds, median', 'substring'],
    ['records-page', 'A key typed into the search of 5,000 records, 95th percentile', '95th percentile'],
  ],
  Interactions: [['interactions']],
  'A million domains': [
    ['million', 'A page of 50, of any order and filter, 95th percentile', ': page, p95'],
    ['million', 'Counts of any filter, as four people get them, 95th percentile', ': counts, p95'],
    ['million', 'Counts of any filter, each computed, 95th percentile', ': counts, each read'],
    ['million', 'First rows in Chromium', 'first rows'],
    ['million', 'Memory at rest', 'memory at rest'],
    ['million', 'Start to first answer', 'start to first answer'],
    ['million', 'Choosing due checks, time a check', 'choosing due checks'],
    ['million', 'Sync, processor time a domain', 'sync queue'],
    ['million', 'Disk, or disk of monitoring', 'disk'],
  ],
  Operations: [['operations'], ['kill']],
  Sync: [['first-sync'], ['traffic']],
  Monitoring: [['monitoring'], ['monitoring-checks'], ['monitoring-soak']],
  Pages: [
    ['pages', 'First contentful paint of a page, nothing cached', 'first contentful paint, cold'],
    ['pages', 'Largest contentful paint of a page, nothing cached', 'largest contentful paint, cold'],
    ['pages', 'Largest contentful paint of a page, cached', 'largest contentful paint, cached'],
    ['pages', 'Total blocking time of a page', 'total blocking time'],
    ['pages', 'Layout shift of a page', 'layout shift'],
    ['pages', 'Script of a page, Brotli', 'script, Brotli'],
    ['pages', 'Requests of a page, nothing cached', 'requests, cold'],
    ['lighthouse', 'Lighthouse: performance of a page', ': performance'],
    ['lighthouse', 'Lighthouse: accessibility of a page', ': accessibility'],
    ['lighthouse', 'Lighthouse: best practices of a page', ': best-practices'],
    ['pages', 'Load of the machine during the run', 'highest load average'],
    ['records-page', 'First rows of 5,000 records, nothing cached', 'nothing cached'],
  ],
  'API and server': [['entry-points'], ['sign-in'], ['malformed'], ['server-rest']],
  'Pages of one owner of 10,000 accounts': [
    ['owner-pages', 'A page, median', ': median'],
    ['owner-pages', 'Size of an answer', ': answer'],
  ],
  Redirects: [['redirects']],
  'Registrars and trackers': [['registrars', 'Calls for names listed or checked at a registrar', ''], ['trackers']],
  'Activity log': [
    ['activity', 'Pages of 50 and statistics of 50,000,000 entries, 95th percentile', ': p95'],
    ['activity', 'The same, a second', ': throughput'],
  ],
}

interface Figure {
  readonly name: string
  readonly ratio: number
  readonly value: string
  readonly against: string
  readonly verdict: string
}
interface Section {
  readonly date: string
  readonly figures: readonly Figure[]
  /** Paragraphs about the figures. */
  readonly notes: readonly string[]
}

const partsOf = (page: string): readonly string[] => page.split(/^(?=## )/m)

function readSections(details: string): ReadonlyMap<string, Section> {
  return new Map(
    partsOf(details)
      .slice(1)
      .map((part) => {
        const [heading = '', about = '', ...others] = part.split('\n\n').map((each) => each.trim())
        const rows = others.filter((each) => each.startsWith('|')).flatMap((table) => table.split('\n').slice(2))
        const figures = rows.map((row) => {
          const [name = '', ratio = '', value = '', against = '', verdict = ''] = row
            .split('|')
            .map((cell) => cell.trim())
            .slice(1)
          return { name, ratio: Number(ratio), value, against, verdict }
        })
        const notes = others.filter((each) => each !== '' && !each.startsWith('|'))
        return [heading.slice('## '.length), { date: /\d{4}-\d\d-\d\d/.exec(about)?.[0] ?? '', figures, notes }] as const
      }),
  )
}

/** How far a figure is from its limit: above 1 it misses it. */
const distanceOf = ({ ratio, against }: Figure): number => (against.startsWith('at least') ? 1 / ratio : ratio)

function rowsOf([bench, what, part = '']: Row | AllOf, { date, figures }: Section): readonly string[] {
  const rowOf = (name: string, shown: readonly Figure[]): string => {
    const [worst] = shown.toSorted((one, other) => distanceOf(other) - distanceOf(one))
    if (worst === undefined) throw new Error(`${bench} has no figure "${part}"`)
    const missed = shown.filter(({ verdict }) => verdict !== 'met').length
    const verdict = missed === 0 ? 'met' : shown.length === 1 ? 'missed' : `missed by ${missed} of ${shown.length}`
    return `| ${name} | ${worst.value} | ${worst.against} | ${verdict} | ${date} |`
  }
  if (what === undefined) return figures.map((figure) => rowOf(figure.name, [figure]))
  return [
    rowOf(
      what,
      figures.filter(({ name }) => name.includes(part)),
    ),
  ]
}

/** The page with the tables of its questions replaced by the figures of `details`; its other sections stay, after them. */
export function summarize(page: string, details: string): string {
  const sections = readSections(details)
  const answered = Object.entries(questions).flatMap(([title, rows]) => {
    const shown = rows.flatMap((row) => {
      const section = sections.get(row[0])
      return section === undefined ? [] : [{ row, section }]
    })
    if (shown.length === 0) return []
    const notes = new Set(shown.flatMap(({ section }) => section.notes))
    const table = ['| What | Measured | Limit or baseline | | As of |', '| --- | --- | --- | --- | --- |']
    for (const { row, section } of shown) table.push(...rowsOf(row, section))
    return [`## ${title}\n\n${[table.join('\n'), ...notes].join('\n\n')}\n`]
  })
  const [intro = '', ...others] = partsOf(page)
  const own = others.filter((part) => questions[part.slice('## '.length, part.indexOf('\n'))] === undefined)
  return [intro, ...answered, ...own].map((part) => `${part.trimEnd()}\n`).join('\n')
}

/** `details` with the section of a benchmark replaced, or added at the end. */
export function replaceSection(details: string, bench: string, section: string): string {
  const others = partsOf(details).filter((part) => !part.startsWith(`## ${bench}\n`))
  return [...others.map((part) => `${part.trimEnd()}\n`), section].join('\n')
}

/** The benchmarks that the page shows. */
export const summarized: ReadonlySet<string> = new Set(Object.values(questions).flatMap((rows) => rows.map(([bench]) => bench)))

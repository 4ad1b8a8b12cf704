import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { activityLog } from './activity.ts'
import { clientLoad } from './client-load.ts'
import { domainDetails } from './domain-details.ts'
import { domainsCounts } from './domains-counts.ts'
import { domainsList } from './domains-list.ts'
import { entryPoints } from './entry-points.ts'
import { malformed } from './malformed.ts'
import { lighthouseBench } from './lighthouse.ts'
import { million } from './million.ts'
import { recordsPage } from './records-page.ts'
import { syncFigures } from './sync-figures.ts'
import { interactionsBench } from './interactions.ts'
import { killRun } from './kill.ts'
import { monitoring } from './monitoring.ts'
import { monitoringChecks } from './monitoring-checks.ts'
import { monitoringSoak } from './monitoring-soak.ts'
import { operations } from './operations.ts'
import { ownerPages } from './owner-pages.ts'
import { pages } from './pages.ts'
import { redirects } from './redirects.ts'
import { registrars } from './registrars.ts'
import { serverRest } from './server-rest.ts'
import { signIn } from './sign-in.ts'
import { trackers } from './trackers.ts'
import { traffic } from './traffic.ts'
import { isMet, ratioOf } from './bench.ts'
import { replaceSection, summarize } from './summary.ts'
import type { Bench, Figure } from './bench.ts'

const benches: Readonly<Record<string, Bench>> = {
  'domains-list': domainsList,
  'domains-counts': domainsCounts,
  'domain-details': domainDetails,
  'owner-pages': ownerPages,
  'first-sync': syncFigures,
  operations,
  kill: killRun,
  'server-rest': serverRest,
  'entry-points': entryPoints,
  malformed,
  'client-load': clientLoad,
  interactions: interactionsBench,
  million,
  pages,
  'records-page': recordsPage,
  redirects,
  registrars,
  trackers,
  traffic,
  monitoring,
  'monitoring-checks': monitoringChecks,
  'monitoring-soak': monitoringSoak,
  'sign-in': signIn,
  activity: activityLog(Number(process.env['BENCH_ROWS'] ?? 10_000_000)),
  // Last, because it stops the run where Lighthouse is not installed.
  lighthouse: lighthouseBench,
}

const rounded = (value: number) => Number(value.toPrecision(value >= 1000 ? 5 : 3))

function report(bench: string, figure: Figure): boolean {
  const met = isMet(figure)
  const { name, value, unit, against, more } = figure
  process.stdout.write(
    `${met ? 'ok  ' : 'MISS'} ${name.padEnd(58)} ${String(rounded(value)).padStart(8)} ${unit.padEnd(6)} ${against.kind} ${rounded(against.value)} (${against.what}), ratio ${rounded(ratioOf(figure))}\n`,
  )
  process.stdout.write(
    `${JSON.stringify({ bench, name, value: rounded(value), unit, [against.kind]: rounded(against.value), what: against.what, ratio: rounded(ratioOf(figure)), met, ...more })}\n`,
  )
  return met
}

const pageOf = (name: string): string => fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url))

/** Replaces the section of this benchmark in the details, and its rows in `docs/benchmarks.md`. */
async function write(bench: string, figures: readonly Figure[]): Promise<void> {
  const rows = figures.map((figure) => {
    const { name, value, unit, against } = figure
    return `| ${name} | ${rounded(ratioOf(figure))} | ${rounded(value)} ${unit} | ${against.kind} ${rounded(against.value)} (${against.what}) | ${isMet(figure) ? 'met' : 'missed'} |`
  })
  const where = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`
  const section = `## ${bench}\n\n${benches[bench]?.about ?? ''}.\n${where}.\n\n| what | ratio | figure | against | |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
  const [page, details] = [pageOf('benchmarks'), pageOf('benchmarks-details')]
  const text = replaceSection(await readFile(details, 'utf8'), bench, section)
  await writeFile(details, text)
  await writeFile(page, summarize(await readFile(page, 'utf8'), text))
}

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const [asked] = positionals
if (values.list) {
  for (const [name, { about }] of Object.entries(benches)) process.stdout.write(`${name.padEnd(16)} ${about}\n`)
} else if (asked !== undefined && benches[asked] === undefined) {
  process.stderr.write(`There is no bench "${asked}"; npm run bench -- --list names them.\n`)
  process.exitCode = 2
} else {
  let missed = 0
  for (const [name, bench] of Object.entries(benches)) {
    if (asked !== undefined && asked !== name) continue
    process.stdout.write(`\n${name}: ${bench.about}\n`)
    const figures: Figure[] = []
    await bench.run((figure) => {
      figures.push(figure)
      if (!report(name, figure)) missed += 1
    })
    if (values.write) await write(name, figures)
  }
  process.stdout.write(`\n${missed === 0 ? 'everything met' : `${missed} missed`}\n`)
  if (missed > 0) process.exitCode = 1
}

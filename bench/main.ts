import { clientLoad } from './client-load.ts'
import { domainsCounts } from './domains-counts.ts'
import { domainsList } from './domains-list.ts'
import { syncFigures } from './sync-figures.ts'
import { serverRest } from './server-rest.ts'
import { isMet, ratioOf } from './bench.ts'
import type { Bench, Figure } from './bench.ts'

const benches: Readonly<Record<string, Bench>> = {
  'domains-list': domainsList,
  'domains-counts': domainsCounts,
  'first-sync': syncFigures,
  'server-rest': serverRest,
  'client-load': clientLoad,
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

const asked = process.argv[2]
if (asked === '--list') {
  for (const [name, { about }] of Object.entries(benches)) process.stdout.write(`${name.padEnd(16)} ${about}\n`)
} else if (asked !== undefined && benches[asked] === undefined) {
  process.stderr.write(`There is no bench "${asked}"; npm run bench -- --list names them.\n`)
  process.exitCode = 2
} else {
  const counts = { met: 0, missed: 0 }
  for (const [name, bench] of Object.entries(benches)) {
    if (asked !== undefined && asked !== name) continue
    process.stdout.write(`\n${name}: ${bench.about}\n`)
    await bench.run((figure) => {
      counts[report(name, figure) ? 'met' : 'missed'] += 1
    })
  }
  process.stdout.write(`\n${counts.met} met, ${counts.missed} missed\n`)
  if (counts.missed > 0) process.exitCode = 1
}

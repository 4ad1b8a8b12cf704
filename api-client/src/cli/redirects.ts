import { textOfIssue } from '../errors.ts'
import type { Redirect, RedirectPreview } from '../procedures.gen.ts'
import { requireChangeScope, startDraft } from './changes.ts'
import { numberOf, UsageError } from './context.ts'
import type { Command, CommandContext } from './context.ts'
import { counted, listed } from './print.ts'

/** Finds an account by its email, name or ID. @throws UsageError if there is none or several */
async function findAccount({ panel, names: [given = ''] }: CommandContext) {
  const { accounts } = await panel.accounts.list()
  const wanted = given.toLowerCase()
  const found = accounts.filter(({ id, email, name }) => id === wanted || email.toLowerCase() === wanted || name?.toLowerCase() === wanted)
  const [account, ...others] = found
  if (account === undefined) throw new UsageError(`account ${given} not found`)
  if (others.length > 0) {
    const lines = found.map(({ id, email, name }) => `  ${id}  ${email}${name === null ? '' : ` (${name})`}`)
    throw new UsageError([`there are several accounts ${given}; specify one by ID:`, ...lines].join('\n'))
  }
  return account
}

const columns = ['source', 'target', 'status', 'query', 'subdomains', 'subpaths', 'suffix'] as const
const rowOf = ({ source, target, status, ...flags }: Redirect) => ({
  source,
  target,
  status,
  query: flags.preserveQueryString,
  subdomains: flags.includeSubdomains,
  subpaths: flags.subpathMatching,
  suffix: flags.preservePathSuffix,
})

export const listRedirects: Command = async (context) => {
  const { panel, io, format, options } = context
  const { id } = await findAccount(context)
  const { search } = options
  const limit = numberOf(options, 'limit', 1) ?? 100
  const redirects: Redirect[] = []
  const filter = { id, ...(typeof search === 'string' && { search }) }
  let more = false
  for await (const redirect of panel.redirects.list.all({ ...filter, limit: Math.min(limit + 1, 1_000) })) {
    more = redirects.length === limit
    if (more) break
    redirects.push(redirect)
  }
  io.out(listed(format, redirects.map(rowOf), columns, redirects))
  if (more) io.say(`Showing the first ${limit}; use --limit N to show more.`)
  return 0
}

export const exportRedirects: Command = async (context) => {
  const { id } = await findAccount(context)
  const { csv } = await context.panel.redirects.export({ id })
  // Its byte order mark is for spreadsheets; programs that read standard output stumble over it.
  context.io.out(csv.replace(/^\uFEFF/, '').trimEnd())
  return 0
}

export const testRedirect: Command = async (context) => {
  const { panel, io, format } = context
  const { id } = await findAccount(context)
  const result = await panel.redirects.test({ id, url: context.names[1] ?? '' })
  if (format === 'json') {
    io.out(JSON.stringify(result, null, 2))
    return 0
  }
  for (const { url, status, by, list } of result.hops)
    io.out(`${url}  ${status} by ${list === null ? `rule ${by}` : `${by} in list ${list}`}`)
  io.out(result.isLoop ? `${result.end}  redirect loop` : result.end)
  const { domain, inactive, uncertain } = result
  if (domain === null) io.say('The domain of this URL is not in the account')
  if (inactive !== null) io.say(`Warning: ${inactive.source} would redirect, but the rule of its list is ${inactive.rule}`)
  if (uncertain !== null)
    io.say(
      `Warning: the result is not certain: ${[uncertain.domain, uncertain.reason, uncertain.rule].filter((part) => part !== null).join(' ')}`,
    )
  return 0
}

/** Every problem that the panel found; a list of samples names how many there are. */
function warn(say: (line: string) => void, summary: RedirectPreview): void {
  const sampled = <T>({ count, first }: { readonly count: number; readonly first: readonly T[] }, textOf: (item: T) => string) => {
    for (const item of first) say(`Warning: ${textOf(item)}`)
    if (count > first.length) say(`  and ${count - first.length} more`)
  }
  sampled(summary.lineErrors, ({ line, issue, firstLine }) =>
    [`line ${line} is ignored: ${textOfIssue(issue)}`, ...(firstLine === undefined ? [] : [`(line ${firstLine})`])].join(' '),
  )
  sampled(summary.loops, ({ source, next }) => `${source} leads back to itself through ${next}`)
  sampled(summary.chains, ({ source, next }) => `${source} leads to another redirect, ${next}`)
  sampled(summary.uncertain, ({ source, next }) => `the target of ${source} may be redirected again by the rule ${next}`)
  sampled(summary.foreign, (source) => `the domain of ${source} is not in the account`)
  sampled(summary.unproxied, (source) => `${source} has no DNS record`)
  sampled(summary.dnsOnly, (host) => `${host} has a DNS-only record or is delegated to other name servers`)
  sampled(summary.unreadRecords, (host) => `the DNS records of ${host} have not been read`)
  if (summary.unchecked) say('Warning: loops and chains were not looked for, because it would have taken too long')
}

export const importRedirects: Command = async (context) => {
  const { panel, io, names, options } = context
  await requireChangeScope(context)
  const { id, email } = await findAccount(context)
  const csv = await io.read(names[1] ?? '-')
  const mode = options['replace'] === true ? ('replace' as const) : ('merge' as const)
  const { summary, preview } = await panel.operations.previewRedirects({ id, csv, mode })
  warn(io.say, summary)
  const { added, changed, removed, unchanged, count, othersCount, limit } = summary
  io.say(`${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged`)
  io.say(`${counted(count + othersCount, 'redirect')} of ${limit} in ${email} afterwards`)
  if (preview === null) {
    io.out('No change')
    return summary.lineErrors.count === 0 ? 0 : 3
  }
  if (mode === 'replace' && options['preview'] !== true) {
    const faulty = summary.lineErrors.count
    const refusal =
      faulty > 0
        ? `${counted(faulty, 'line')} of the file cannot be read, and --replace would remove their redirects; correct the file first`
        : added + changed + unchanged === 0
          ? 'the file has no redirects, and --replace would remove all of the account'
          : null
    if (refusal !== null) {
      await panel.operations.discard({ id: preview.operation.id })
      throw new Error(refusal)
    }
  }
  const code = await startDraft(context, preview.operation.id)
  return code === 0 && summary.lineErrors.count > 0 ? 3 : (code ?? 0)
}

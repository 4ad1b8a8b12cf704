import { curlOf, literal, typescriptOf } from './write-call.ts'
import type { ApiCall } from './write-call.ts'

type Input = Readonly<Record<string, unknown>>

export interface CallTexts {
  readonly curl: string
  readonly typescript: string
}

const partOfPath = (value: unknown): string => encodeURIComponent(String(value))

/** The REST call that creates a draft, by its procedure; null if REST has none. */
function draftCall(procedure: string, input: Input): ApiCall | null {
  const post = (path: string, body: Input = input) => ({ method: 'POST', path, body })
  switch (procedure) {
    case 'operations.preview':
      return post('/operations')
    case 'operations.previewCreate':
      return post('/zones/bulk-create', { ...input, preview: true })
    case 'operations.previewPurchase':
      return post('/registration', { ...input, preview: true })
    case 'operations.previewRenewal':
      return post('/registrar-names/renewals')
    case 'operations.previewAutoRenew':
      return post('/registrar-names/auto-renew')
    case 'operations.previewTrackerArchive':
      return post('/tracker-domains/archive')
    case 'operations.previewDomainRedirects':
      return post('/zones/redirects')
    case 'operations.previewRedirects': {
      const { id, ...body } = input
      return post(`/accounts/${partOfPath(id)}/redirects`, body)
    }
    case 'operations.previewUndo': {
      const { id, ...body } = input
      return post(`/operations/${partOfPath(id)}/undo`, body)
    }
    default:
      return null
  }
}

/**
 * The calls that prepare the shown operation and start it, for a program. Null if REST has no such preview.
 * @param excluded warnings whose domains were excluded
 */
export function previewCalls(procedure: string, input: Input, panelUrl: string, excluded: readonly string[] = []): CallTexts | null {
  const call = draftCall(procedure, input)
  if (call === null) return null
  const step = (path: string, body: Input) => curlOf({ method: 'POST', path: `/operations/OPERATION_ID/${path}`, body }, panelUrl)
  const without = excluded.length === 0 ? null : { dangers: [...excluded] }
  const curl = [
    `# Answers with the preview; nothing is changed yet.\n${curlOf(call, panelUrl)}`,
    ...(without === null
      ? []
      : [`# Leaves out what these warnings are about. OPERATION_ID: operation.id of that answer.\n${step('exclusions', without)}`]),
    `# OPERATION_ID: operation.id of ${without === null ? 'that' : 'the first'} answer.\n${step('start', {})}`,
  ]
  const typescript = [
    `const { operation } = ${typescriptOf(procedure, input)}`,
    ...(without === null ? [] : [`await panel.operations.exclude({ id: operation.id, dangers: ${literal(excluded)} })`]),
    'await panel.operations.start({ id: operation.id })',
  ]
  return { curl: `${curl.join('\n\n')}\n`, typescript: `${typescript.join('\n')}\n` }
}

/** A change of one domain or account that is previewed by one call and applied by another with the token of the preview. */
const confirmed = {
  'records.importFile': { preview: 'records.previewImport', of: 'zones', path: 'dns-records/import' },
  'history.revert': { preview: 'history.previewRevert', of: 'zones', path: 'history/revert' },
  'history.revertOfAccount': { preview: 'history.previewRevertOfAccount', of: 'accounts', path: 'history/revert' },
} as const

/**
 * The two calls that preview such a change and apply it.
 * @param agreed fields of the second call only
 */
export function confirmedCalls(procedure: keyof typeof confirmed, input: Input, panelUrl: string, agreed: Input = {}): CallTexts {
  const { preview, of, path } = confirmed[procedure]
  const { id, ...body } = input
  const url = `/${of}/${partOfPath(id)}/${path}`
  const look = curlOf({ method: 'POST', path: `${url}/preview`, body }, panelUrl)
  const make = curlOf({ method: 'POST', path: url, body: { ...body, ...agreed, token: 'TOKEN' } }, panelUrl)
  const others = Object.entries(agreed).map(([name, value]) => `, ${name}: ${literal(value)}`)
  return {
    curl: `# Answers with the preview; nothing is changed yet.\n${look}\n\n# TOKEN: token of that answer.\n${make}\n`,
    typescript: `const input = ${literal(input)}\nconst { token } = await panel.${preview}(input)\nawait panel.${procedure}({ ...input${others.join('')}, token })\n`,
  }
}

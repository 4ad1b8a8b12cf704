import { curlOf, typescriptOf } from './write-call.ts'

type Input = Readonly<Record<string, unknown>>

/** Previews that the REST API has too, by their procedure. */
const callOf = (procedure: string, input: Input) => {
  if (procedure === 'operations.preview') return { method: 'POST', path: '/operations', body: input }
  if (procedure === 'operations.previewCreate') return { method: 'POST', path: '/zones/bulk-create', body: { ...input, preview: true } }
  if (procedure === 'operations.previewUndo') {
    const { id, ...body } = input
    return { method: 'POST', path: `/operations/${encodeURIComponent(String(id))}/undo`, body }
  }
  return null
}

/**
 * The calls that prepare an operation as it is shown and start it, for a program. Null where a preview is the browser's only.
 * @param panelUrl where the panel is
 */
export function previewCalls(
  procedure: string,
  input: Input,
  panelUrl: string,
): { readonly curl: string; readonly typescript: string } | null {
  const call = callOf(procedure, input)
  if (call === null) return null
  const start = { method: 'POST', path: '/operations/OPERATION_ID/start', body: {} }
  return {
    curl: `# Answers with the preview; nothing is changed yet.\n${curlOf(call, panelUrl)}\n\n# OPERATION_ID: operation.id of that answer.\n${curlOf(start, panelUrl)}\n`,
    typescript: `const { operation } = ${typescriptOf(procedure, input)}\nawait panel.operations.start({ id: operation.id })\n`,
  }
}

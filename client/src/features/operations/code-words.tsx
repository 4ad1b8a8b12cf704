import { useOperationWords } from './use-operation-words.ts'

/** Why a domain is skipped or cannot be compared, from the code of the server. */
export function CodeWords({ code }: { code: string }) {
  return useOperationWords().code(code)
}

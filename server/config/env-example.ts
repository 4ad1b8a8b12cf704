import { variables } from '#server/config/env.ts'

const shown = (value: unknown): string => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return ''
  if (typeof value === 'object' && value !== null && 'limit' in value && 'windowMs' in value) {
    return `${String(value.limit)}/${Number(value.windowMs) / 1000}`
  }
  return String(value)
}

/** The text of `.env.example`: every variable with what it is for, what it accepts and its default. */
export function envExample(): string {
  const blocks = Object.entries(variables).map(([name, { schema, about, accepted }]) => {
    const fallback = name === 'DATA_DIR' ? './data' : shown(schema.parse(undefined))
    return `# ${about} (${accepted})\n# ${name}=${fallback}\n`
  })
  return `# Everything has a default; the panel starts without any of these.\n\n${blocks.join('\n')}`
}

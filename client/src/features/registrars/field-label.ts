import type { CredentialField, RegistrarProvider } from '#shared/features/registrars/catalog.ts'

export type Way = RegistrarProvider | 'MANUAL'

/** The field labels of each provider. */
const labels = {
  MANUAL: { username: 'field.manual_username', password: 'field.manual_password' },
  NAMECHEAP: { username: 'field.namecheap_username', apiKey: 'field.namecheap_key', clientIp: 'field.namecheap_ip' },
  GODADDY: { apiKey: 'field.godaddy_key', apiSecret: 'field.godaddy_secret', apiToken: 'field.godaddy_token' },
  PORKBUN: { apiKey: 'field.porkbun_key', apiSecret: 'field.porkbun_secret' },
  REGRU: { login: 'field.regru_login', password: 'field.regru_password' },
} as const satisfies Record<Way, Partial<Record<CredentialField, string>>>

type Keys<T> = T extends Readonly<Record<string, infer Key>> ? Key : never
type LabelKey = { [W in Way]: Keys<(typeof labels)[W]> }[Way]

/** The key of a field's label; a field that the provider does not have uses the label of manual registrars. */
export const fieldLabel = (way: Way, field: CredentialField): LabelKey =>
  new Map<string, LabelKey>(Object.entries(labels[way])).get(field) ?? labels.MANUAL.password

import { botTokenContext, webhookSecretContext, webhookUrlContext } from '#server/features/alerts/index.ts'
import { originKeyContext } from '#server/features/domains/origin-certificates/index.ts'
import { accountPasswordContext, contactContext, credentialContext } from '#server/features/registrars/index.ts'
import { apiKeyContext, passwordContext } from '#server/features/sync/index.ts'
import { trackerKeyContext } from '#server/features/trackers/index.ts'
import { totpContext } from '#server/features/two-factor/index.ts'
import type { EncryptedColumn } from './key-rotation.repo.ts'

/** Every column encrypted with the secret key, with its name for operators; a test finds missing ones. */
export const encryptedColumns: readonly (EncryptedColumn & { readonly name: string })[] = [
  { name: 'keys of Cloudflare accounts', table: 'accounts', column: 'api_key_sealed', key: 'id', context: apiKeyContext },
  { name: 'passwords of Cloudflare accounts', table: 'accounts', column: 'password_sealed', key: 'id', context: passwordContext },
  { name: 'API credentials of registrars', table: 'registrars', column: 'credential_sealed', key: 'id', context: credentialContext },
  {
    name: 'account passwords of registrars',
    table: 'registrars',
    column: 'account_password_sealed',
    key: 'id',
    context: accountPasswordContext,
  },
  { name: 'contacts for buying domains', table: 'contacts', column: 'details_sealed', key: 'id', context: contactContext },
  { name: 'authenticator apps', table: 'totp', column: 'secret_sealed', key: 'user_id', context: totpContext },
  { name: 'Telegram bot tokens', table: 'monitor_settings', column: 'bot_token_sealed', key: 'owner_id', context: botTokenContext },
  { name: 'signing secrets of webhooks', table: 'alert_channels', column: 'secret_sealed', key: 'id', context: webhookSecretContext },
  { name: 'addresses of webhooks', table: 'alert_channels', column: 'url_sealed', key: 'id', context: webhookUrlContext },
  { name: 'kept keys of origin certificates', table: 'origin_certificates', column: 'key_sealed', key: 'id', context: originKeyContext },
  { name: 'API keys of trackers', table: 'trackers', column: 'api_key_sealed', key: 'id', context: trackerKeyContext },
]

import { botTokenContext, webhookSecretContext, webhookUrlContext } from '#server/features/alerts/index.ts'
import { accountPasswordContext, contactContext, credentialContext } from '#server/features/registrars/index.ts'
import { apiKeyContext, passwordContext } from '#server/features/sync/index.ts'
import { trackerKeyContext } from '#server/features/trackers/index.ts'
import { totpContext } from '#server/features/two-factor/index.ts'
import type { EncryptedColumn } from './key-rotation.repo.ts'

/** Every column encrypted with the secret key; a test finds missing ones. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'accounts', column: 'api_key_sealed', key: 'id', context: apiKeyContext },
  { table: 'accounts', column: 'password_sealed', key: 'id', context: passwordContext },
  { table: 'registrars', column: 'credential_sealed', key: 'id', context: credentialContext },
  { table: 'registrars', column: 'account_password_sealed', key: 'id', context: accountPasswordContext },
  { table: 'contacts', column: 'details_sealed', key: 'id', context: contactContext },
  { table: 'totp', column: 'secret_sealed', key: 'user_id', context: totpContext },
  { table: 'monitor_settings', column: 'bot_token_sealed', key: 'owner_id', context: botTokenContext },
  { table: 'alert_channels', column: 'secret_sealed', key: 'id', context: webhookSecretContext },
  { table: 'alert_channels', column: 'url_sealed', key: 'id', context: webhookUrlContext },
  { table: 'trackers', column: 'api_key_sealed', key: 'id', context: trackerKeyContext },
]

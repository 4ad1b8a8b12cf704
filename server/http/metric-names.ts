/** What each figure of `readFigures` means, and its labels. */
export const figures = {
  zonedeck_operations: ['Operations that are not over', ['state']],
  zonedeck_operation_items: ['Items of operations that are not over', ['state']],
  zonedeck_probes: ['Processes that check domains, seen within a minute', ['region']],
  zonedeck_check_lag_seconds: ['How far checks are behind their schedule', ['region']],
  zonedeck_alerts_pending: ['Messages on their way to people', []],
  zonedeck_alert_lag_seconds: ['How long the oldest due message has waited', []],
  zonedeck_alert_channels_failing: ['Channels that refuse messages', []],
  zonedeck_accounts: ['Cloudflare accounts', ['health']],
  zonedeck_sync_lag_seconds: ['How late the latest account is read', []],
  zonedeck_call_budget_used: ['Calls in the running window of a Cloudflare user', ['budget', 'account']],
  zonedeck_call_budget_limit: ['Calls that the window of a Cloudflare user allows', ['budget', 'account']],
  zonedeck_call_budget_blocked: ['1 while Cloudflare refuses calls of a user', ['budget', 'account']],
  zonedeck_backup_failing: ['1 since a backup by schedule could not be written', []],
  zonedeck_database_latency_seconds: ['A question without work, there and back', []],
  zonedeck_database_size_bytes: ['Size of the database', []],
  zonedeck_database_connections: ['Connections to the database, of all processes', ['state']],
} as const satisfies Record<string, readonly [string, readonly string[]]>

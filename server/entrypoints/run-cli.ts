import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { compose, openDatabase } from '#server/compose.ts'
import { EnvironmentError, readEnv } from '#server/config/env.ts'
import type { Env } from '#server/config/env.ts'
import { findUserByEmail } from '#server/features/auth/auth.repo.ts'
import { createUserByOperator } from '#server/features/auth/create-user-by-operator.ts'
import { resetPassword } from '#server/features/auth/reset-password.ts'
import { restoreBackup, verifyBackup, writeBackupOf } from '#server/features/backup/index.ts'
import { exportDataTo } from '#server/features/me/export-data.ts'
import { encryptedColumns } from '#server/features/key-rotation/encrypted-columns.ts'
import { rotateKey, RotationRefused } from '#server/features/key-rotation/rotate-key.ts'
import { resetTwoFactor } from '#server/features/two-factor/index.ts'
import { setDisabled } from '#server/features/users/index.ts'
import type { SystemActor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createLog } from '#server/platform/log.ts'
import type { Log } from '#server/platform/log.ts'
import { changeKeyFile, createSecrets, loadSecretKey } from '#server/platform/secrets.ts'
import type { KeyChange } from '#server/platform/secrets.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { email, newPassword, role } from '#shared/features/auth/schema.ts'
import { errorText, issueText } from '#server/transports/error-texts.ts'
import packageJson from '../../package.json' with { type: 'json' }

interface Described {
  readonly usage: string
  readonly about: string
}

/** Runs as the panel, on a database of this version. Returns the output. */
interface PanelCommand extends Described {
  run(ctx: Ctx<SystemActor>, args: readonly string[]): Promise<string>
}

/** Operates on the database as a whole, of any version. */
interface DatabaseCommand extends Described {
  runOn(connect: () => Promise<string>, env: Env, args: readonly string[], signal: AbortSignal): Promise<string>
}

const passwordOr = (given: string | undefined) => given ?? randomBytes(12).toString('base64url')
const shownPassword = (given: string | undefined, password: string) => (given === undefined ? `, password ${password}` : '')

const sizeOf = (bytes: number) => (bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)
const nameOf = (what: string) => encryptedColumns.find(({ table, column }) => `${table}.${column}` === what)?.name ?? what
const listed = (counts: readonly { readonly what: string; readonly count: number }[]) =>
  counts.map(({ what, count }) => `  ${nameOf(what)}: ${count}\n`).join('')

function fileOf(positionals: readonly string[]): string {
  const [path] = positionals
  if (path === undefined) throw new Error('specify the backup file')
  return path
}

/**
 * Commands for an existing panel do not create a new one: a wrong DATA_DIR would look like an empty panel.
 * @throws Error if there is none
 */
function requirePanelIn({ DATABASE_URL: url, DATA_DIR: folder }: Env): void {
  if (url === undefined && !existsSync(join(folder, 'postgres')))
    throw new Error(`no panel found in ${folder}, so nothing was changed; set DATA_DIR to its folder, or DATABASE_URL to its database`)
}

/** The keys of the environment, or those in the data folder. */
async function keyChangeOf(env: Env): Promise<KeyChange> {
  if (env.NEW_SECRET_KEY === undefined) {
    if (env.SECRET_KEY === undefined) return changeKeyFile(env.DATA_DIR)
    throw new Error('NEW_SECRET_KEY: required if SECRET_KEY is set; base64 of 32 bytes, for example from `openssl rand -base64 32`')
  }
  const [from, to] = [await loadSecretKey(env.SECRET_KEY, env.DATA_DIR), await loadSecretKey(env.NEW_SECRET_KEY, env.DATA_DIR)]
  return { from, to, finish: () => Promise.resolve(), abandon: () => Promise.resolve() }
}

/** @throws AppError not_found */
async function userNamed(ctx: Ctx<SystemActor>, args: readonly string[]) {
  const input = z.object({ email }).parse({ email: args[0] })
  const user = await findUserByEmail(ctx.db.orm, input.email)
  if (user === null) throw new AppError('not_found')
  return user
}

const commands: Readonly<Record<string, PanelCommand | DatabaseCommand>> = {
  migrate: {
    usage: 'migrate',
    about: 'migrate the database to this version',
    run: () => Promise.resolve('the database is up to date'),
  },
  'create-user': {
    usage: 'create-user EMAIL [--name NAME] [--role admin|user] [--password PASSWORD]',
    about: 'create a user; without --password, a password is generated and printed',
    async run(ctx, args) {
      const { values, positionals } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { name: { type: 'string' }, role: { type: 'string', default: 'user' }, password: { type: 'string' } },
      })
      const password = passwordOr(values.password)
      const input = z
        .object({ email, role, password: newPassword, name: z.string().trim().max(100, 'too_long').optional() })
        .parse({ ...values, password, email: positionals[0] })
      const user = await createUserByOperator(ctx, { ...input, name: input.name ?? null })
      return `created ${user.email} (${user.role})${shownPassword(values.password, password)}`
    },
  },
  'reset-password': {
    usage: 'reset-password EMAIL [--password PASSWORD] [--revoke-tokens]',
    about:
      'set a new password; ends all sessions and the calendar feed of the user, and with --revoke-tokens also revokes their API tokens',
    async run(ctx, args) {
      const { values, positionals } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { password: { type: 'string' }, 'revoke-tokens': { type: 'boolean' } },
      })
      const password = passwordOr(values.password)
      const input = z.object({ email, password: newPassword }).parse({ email: positionals[0], password })
      const { disabled } = await resetPassword(ctx, { ...input, revokeTokens: values['revoke-tokens'] })
      const still = disabled ? `\n${input.email} is disabled; to allow sign-in, run enable-user ${input.email}` : ''
      return `changed the password of ${input.email}${shownPassword(values.password, password)}${still}`
    },
  },
  'reset-two-factor': {
    usage: 'reset-two-factor EMAIL',
    about: 'remove all second factors of a user who has lost their phone, passkeys, and recovery codes; ends all their sessions',
    async run(ctx, args) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
      const input = z.object({ email }).parse({ email: positionals[0] })
      await resetTwoFactor(ctx, input)
      return `${input.email} now signs in with the password only`
    },
  },
  'disable-user': {
    usage: 'disable-user EMAIL',
    about: 'disable a user: end their sessions, API tokens, and calendar feed, pause their operations, and keep the resources they own',
    async run(ctx, args) {
      const user = await userNamed(ctx, parseArgs({ args: [...args], allowPositionals: true }).positionals)
      await setDisabled(ctx, user.id, true)
      return `${user.email} is disabled`
    },
  },
  'enable-user': {
    usage: 'enable-user EMAIL',
    about: 'allow a disabled user to sign in again',
    async run(ctx, args) {
      const user = await userNamed(ctx, parseArgs({ args: [...args], allowPositionals: true }).positionals)
      await setDisabled(ctx, user.id, false)
      return `${user.email} is enabled`
    },
  },
  'export-user': {
    usage: 'export-user EMAIL DIR',
    about: 'write the data of a user as CSV, one file per table, without secrets',
    async run(ctx, args) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
      const [, folder] = positionals
      if (folder === undefined) throw new Error('specify the output folder')
      const user = await userNamed(ctx, positionals)
      const actor = { kind: 'user', userId: user.id, name: user.email, role: user.role, sessionId: '', verifiedAt: null } as const
      const files = await exportDataTo({ ...ctx, actor }, folder)
      return [`wrote to ${folder}:`, ...files.map(({ file, rows }) => `  ${file} (${rows})`), '  activity-logs.csv'].join('\n')
    },
  },
  backup: {
    usage: 'backup FILE [--verify]',
    about:
      'write a backup of everything except the secret key, while the panel runs; --verify verifies an existing file and writes nothing',
    async runOn(connect, env, args, signal) {
      const { values, positionals } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { verify: { type: 'boolean', default: false } },
      })
      const path = fileOf(positionals)
      if (values.verify) {
        const { version, createdAt, rows, tables } = await verifyBackup(path, signal)
        return `${path} is complete: ${rows} rows in ${tables} tables, written by version ${version} at ${createdAt}`
      }
      requirePanelIn(env)
      const keyFile = join(env.DATA_DIR, 'secret.key')
      if (env.SECRET_KEY === undefined && !existsSync(keyFile))
        throw new Error(
          `the secret key of the panel was not found at ${keyFile}, so no backup was written; set DATA_DIR to its folder, or SECRET_KEY`,
        )
      const secrets = createSecrets(await loadSecretKey(env.SECRET_KEY, env.DATA_DIR))
      const { tables, rows, bytes } = await writeBackupOf(await connect(), {
        secrets,
        version: packageJson.version,
        path,
        signal,
        refuseEmpty: true,
      })
      return (
        `wrote ${rows} rows in ${tables} tables to ${path} (${sizeOf(bytes)})\n` +
        `The backup does not contain the secret key. Without ${env.SECRET_KEY === undefined ? join(env.DATA_DIR, 'secret.key') : 'SECRET_KEY'} the stored keys, tokens and passwords cannot be decrypted: keep a copy of it elsewhere.`
      )
    },
  },
  restore: {
    usage: 'restore FILE [--force]',
    about: 'restore a backup, with the panel stopped; --force deletes the existing data',
    async runOn(connect, env, args, signal) {
      const { values, positionals } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { force: { type: 'boolean', default: false } },
      })
      const path = fileOf(positionals)
      const secrets = createSecrets(await loadSecretKey(env.SECRET_KEY, env.DATA_DIR))
      const { version, createdAt, rows, tables, unreadable } = await restoreBackup({
        url: await connect(),
        path,
        secrets,
        force: values.force,
        signal,
      })
      const summary = `restored ${rows} rows in ${tables} tables, written by version ${version} at ${createdAt}`
      if (unreadable === null) return `${summary}; the secret key matches`
      if (unreadable.length === 0)
        return `${summary}\nThe secret key is not the one of the backup, which contains no encrypted secrets: nothing is lost except recovery codes.`
      return (
        `${summary}\nThe secret key does not match the one that the secrets in the backup were encrypted with. These secrets cannot be decrypted:\n${listed(unreadable)}` +
        `Authenticator apps and recovery codes will not work, and neither will accounts, registrars, trackers and alerts.\n` +
        `Stop the panel, restore the original key (SECRET_KEY or ${join(env.DATA_DIR, 'secret.key')}) and start it again, or enter the secrets again.`
      )
    },
  },
  'rotate-key': {
    usage: 'rotate-key',
    about: 'encrypt all secrets with a new key, with the panel stopped; set NEW_SECRET_KEY if SECRET_KEY is set',
    async runOn(connect, env) {
      requirePanelIn(env)
      const url = await connect()
      const { from, to, finish, abandon } = await keyChangeOf(env)
      const keys = { from: createSecrets(from), to: createSecrets(to) }
      const { reencrypted, unreadable, withoutRecoveryCodes } = await rotateKey(url, keys).catch(async (error: unknown) => {
        // Otherwise no process would start until a rotation that never began is finished.
        if (error instanceof RotationRefused) await abandon()
        throw error
      })
      await finish()
      const lines = [
        `secrets encrypted with the new key: ${reencrypted}${env.NEW_SECRET_KEY === undefined ? '' : '; set SECRET_KEY to it before the next start'}`,
        ...(unreadable.length === 0 ? [] : [`Unchanged, because neither key decrypts them:\n${listed(unreadable).trimEnd()}`]),
        ...(withoutRecoveryCodes === 0
          ? []
          : [`Recovery codes of ${withoutRecoveryCodes} users were deleted; they can create new ones under My profile`]),
        'Older backups require the old key: keep it as long as you keep them.',
      ]
      return lines.join('\n')
    },
  },
}

function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message
  if (error instanceof AppError) return errorText(error)
  if (error instanceof z.ZodError) {
    return error.issues
      .map((issue) => {
        const params = 'minimum' in issue ? { min: Number(issue.minimum) } : 'maximum' in issue ? { max: Number(issue.maximum) } : {}
        return `${issue.path.join('.')}: ${issueText(issue.message, params)}`
      })
      .join('\n')
  }
  if (error instanceof Error && error.name === 'AbortError') return 'stopped; nothing was changed'
  if (error instanceof Error && 'code' in error) {
    const place = 'path' in error ? `${String(error.path)}: ` : ''
    if (error.code === 'ENOENT') return `${place}no such file or folder`
    if (error.code === 'EISDIR') return `${place}a file is required, but this is a folder`
    if (error.code === 'EACCES') return `${place}permission denied`
  }
  return error instanceof Error ? error.message : String(error)
}

interface Call {
  readonly env: Env
  readonly log: Log
  readonly args: readonly string[]
  /** Aborted when the process is asked to stop. Short commands run to completion. */
  readonly signal: AbortSignal
}

async function runInPanel(command: PanelCommand, { env, log, args, signal }: Call): Promise<string> {
  const composition = await compose({ ...env, ROLE: 'web' }, log)
  try {
    signal.throwIfAborted()
    const actor = { kind: 'system', name: 'operator' } as const
    return await command.run({ ...composition.services, actor, requestId: 'cli', address: null, userAgent: null, origin: null }, args)
  } finally {
    await composition.close()
  }
}

async function runOnDatabase(command: DatabaseCommand, { env, log, args, signal }: Call): Promise<string> {
  let close = () => Promise.resolve()
  const connect = async () => {
    const opened = await openDatabase(env, log)
    close = opened.close
    signal.throwIfAborted()
    return opened.url
  }
  try {
    return await command.runOn(connect, env, args, signal)
  } finally {
    await close()
  }
}

const lineOf = ({ usage, about }: Described) => `  ${usage}\n      ${about}\n`

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (name === '--version') {
    process.stdout.write(`${packageJson.version}\n`)
    return
  }
  const asksForHelp = ['', 'help', '--help', '-h'].includes(name)
  if (asksForHelp || (command !== undefined && args.some((arg) => arg === '--help' || arg === '-h'))) {
    process.stdout.write(
      `Usage: npm run cli -- COMMAND\n\n${(command === undefined ? Object.values(commands) : [command]).map(lineOf).join('')}`,
    )
    return
  }
  if (command === undefined) {
    process.stderr.write(`unknown command "${name}"; to list all commands, run npm run cli -- --help\n`)
    process.exitCode = 2
    return
  }
  const stop = new AbortController()
  let summary: number | null = null
  // Exiting immediately would leave a partial file and the bundled PostgreSQL running. Signals may arrive twice, because npm forwards those
  // of the terminal.
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      summary = 128 + constants.signals[name]
      stop.abort()
    })
  try {
    const call = { env: readEnv(), log: createLog('error'), args, signal: stop.signal }
    const text = 'run' in command ? await runInPanel(command, call) : await runOnDatabase(command, call)
    process.stdout.write(`${text}\n`)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = summary ?? 1
  }
}

await main()

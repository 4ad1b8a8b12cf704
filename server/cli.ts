import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { compose } from '#server/compose.ts'
import { EnvironmentError, readEnv } from '#server/config/env.ts'
import { createUserByOperator, resetPassword } from '#server/features/auth/index.ts'
import { resetTwoFactor } from '#server/features/two-factor/index.ts'
import type { SystemActor } from '#server/platform/actor.ts'
import type { Ctx } from '#server/platform/context.ts'
import { createLog } from '#server/platform/log.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { email, newPassword, role } from '#shared/features/auth/schema.ts'
import { errorText, issueText } from '#server/transports/error-texts.ts'

interface Command {
  readonly usage: string
  readonly about: string
  /** Returns what is printed. */
  run(ctx: Ctx<SystemActor>, args: readonly string[]): Promise<string>
}

const passwordOr = (given: string | undefined) => given ?? randomBytes(12).toString('base64url')
const shownPassword = (given: string | undefined, password: string) => (given === undefined ? `, password ${password}` : '')

const commands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: 'migrate',
    about: 'bring the database to this version',
    run: () => Promise.resolve('the database is at this version'),
  },
  'create-user': {
    usage: 'create-user EMAIL [--name NAME] [--role admin|user] [--password PASSWORD]',
    about: 'without --password one is made and printed',
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
    usage: 'reset-password EMAIL [--password PASSWORD]',
    about: 'ends all sessions of that person',
    async run(ctx, args) {
      const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { password: { type: 'string' } } })
      const password = passwordOr(values.password)
      const input = z.object({ email, password: newPassword }).parse({ email: positionals[0], password })
      await resetPassword(ctx, input)
      return `changed the password of ${input.email}${shownPassword(values.password, password)}`
    },
  },
  'reset-two-factor': {
    usage: 'reset-two-factor EMAIL',
    about: 'for somebody who has lost phone, passkeys and recovery codes; ends all their sessions',
    async run(ctx, args) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
      const input = z.object({ email }).parse({ email: positionals[0] })
      await resetTwoFactor(ctx, input)
      return `${input.email} signs in with the password alone`
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
  return error instanceof Error ? error.message : String(error)
}

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const lines = Object.values(commands).map(({ usage, about }) => `  ${usage}\n      ${about}\n`)
    process.stderr.write(`Usage: npm run cli -- COMMAND\n\n${lines.join('')}`)
    process.exitCode = name === '' ? 0 : 2
    return
  }
  try {
    const env = readEnv()
    const composition = await compose({ ...env, ROLE: 'web' }, createLog('error'))
    try {
      const ctx = {
        ...composition.services,
        actor: { kind: 'system', name: 'operator' } as const,
        requestId: 'cli',
        address: null,
        userAgent: null,
        origin: null,
      }
      process.stdout.write(`${await command.run(ctx, args)}\n`)
    } finally {
      await composition.close()
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  }
}

await main()

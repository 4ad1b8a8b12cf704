import type { SqlTransaction } from '#server/db/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { createAuthenticator, fromBase32 } from '#server/testing/authenticator.ts'
import { testPassword } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import type { UserActor } from '#server/platform/actor.ts'
import { totpCode } from './totp.policy.ts'

const origin = 'https://panel.test'
const clock = createFakeClock(Date.now())
let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ publicUrl: origin, clock })
})
afterAll(() => t.close())

const step = () => Math.floor(clock.now() / 30_000)
const callBy = (actor: UserActor) => callAs(t.services, actor, origin)
const nobody = () => callAs(t.services, null, origin)

/** The session of a token as seen by the next request. */
async function found(token: string): Promise<UserActor> {
  const actor = await t.services.sessions.find(token)
  if (actor === null) throw new Error('the session has ended')
  return actor
}
const proofOf = async (token: string) => (await found(token)).verifiedBy

/** A person who signed in with the password this minute, by the test's clock. */
async function join(): Promise<SignedIn> {
  const person = await signIn(t.services)
  await t.services.sessions.verify(t.services.db.orm, person.actor.sessionId, new Date(clock.now()), 'password')
  return { ...person, actor: await found(person.token) }
}

/** Another session of the person, opened with the password like in `join`. */
async function elsewhere({ user }: SignedIn): Promise<string> {
  const token = await t.services.sessions.create(t.services.db.orm, user.id, { address: null, userAgent: null })
  await t.services.sessions.verify(t.services.db.orm, (await found(token)).sessionId, new Date(clock.now()), 'password')
  return token
}

async function addTotp(actor: UserActor) {
  const { ticket, secret } = await callBy(actor).twoFactor.startTotp()
  const bytes = fromBase32(secret)
  const added = await callBy(actor).twoFactor.confirmTotp({ ticket, code: totpCode(bytes, step()) })
  // The code that confirmed the app is used up: the next one is of the next half minute.
  await clock.advance(30_000)
  return { ...added, secret: bytes, code: () => totpCode(bytes, step()) }
}

async function addPasskey(actor: UserActor) {
  const authenticator = createAuthenticator(origin)
  const { ticket, passkey } = await callBy(actor).twoFactor.startPasskey()
  const added = await callBy(actor).twoFactor.addPasskey({ ticket, name: 'Key', passkey: authenticator.create(passkey) })
  return { ...added, authenticator }
}

async function ask({ user }: SignedIn) {
  const answer = await nobody().auth.login({ email: user.email, password: testPassword })
  if (!('secondFactor' in answer)) throw new Error('no second factor was asked for')
  return answer.secondFactor
}

test('a session records how it was authenticated: password, code, recovery code or passkey', async () => {
  const person = await join()
  const signed = await nobody().auth.login({ email: person.user.email, password: testPassword })
  expect('token' in signed && (await proofOf(signed.token))).toBe('password')

  const { code, recoveryCodes } = await addTotp(person.actor)
  const byTotp = await nobody().auth.secondFactor({ ticket: (await ask(person)).ticket, method: 'totp', code: code() })
  expect(await proofOf(byTotp.token)).toBe('totp')
  const byRecovery = await nobody().auth.secondFactor({
    ticket: (await ask(person)).ticket,
    method: 'recovery',
    code: recoveryCodes?.[0] ?? '',
  })
  expect(await proofOf(byRecovery.token)).toBe('recovery')

  const { authenticator } = await addPasskey(await found(byTotp.token))
  const { ticket, passkey } = await nobody().auth.askForPasskey()
  const byPasskey = await nobody().auth.signInByPasskey({ ticket, passkey: authenticator.get(passkey) })
  expect(await proofOf(byPasskey.token)).toBe('passkey')
})

describe('setting up a second factor', () => {
  test('verifies this session, ends sessions with the password only, and is logged with their number', async () => {
    const person = await join()
    const others = [await elsewhere(person), await elsewhere(person)]
    expect((await addTotp(person.actor)).sessionsEnded).toBe(2)
    expect(await proofOf(person.token)).toBe('totp')
    for (const token of others) expect(await t.services.sessions.find(token)).toBeNull()
    const [entry] = await t.services.db.sql`
      select details from activity where owner_id = ${person.user.id} and details ->> 'secondFactor' = 'totp'`
    expect(entry?.['details']).toEqual({ secondFactor: 'totp', change: 'added', sessionsEnded: 2 })
  })

  test('a second one keeps sessions that verified the first', async () => {
    const person = await join()
    const { code } = await addTotp(person.actor)
    const other = await nobody().auth.secondFactor({ ticket: (await ask(person)).ticket, method: 'totp', code: code() })
    expect((await addPasskey(await found(person.token))).sessionsEnded).toBe(0)
    expect(await proofOf(other.token)).toBe('totp')
  })
})

describe('a session with the password only', () => {
  test.each([
    ['removes the factor', (call: ReturnType<typeof callBy>) => call.twoFactor.removeTotp()],
    ['starts another app', (call: ReturnType<typeof callBy>) => call.twoFactor.startTotp()],
    ['adds a passkey', (call: ReturnType<typeof callBy>) => call.twoFactor.startPasskey()],
    ['renews the recovery codes', (call: ReturnType<typeof callBy>) => call.twoFactor.renewRecoveryCodes()],
    ['creates an API token', (call: ReturnType<typeof callBy>) => call.apiTokens.create({ name: 'x', scope: 'write' })],
    [
      'changes the password',
      (call: ReturnType<typeof callBy>) =>
        call.me.changePassword({ currentPassword: testPassword, password: 'another one', passwordConfirmation: 'another one' }),
    ],
    ['changes the email', (call: ReturnType<typeof callBy>) => call.me.update({ email: 'thief@example.com' })],
  ])('R-AUT-06 never %s of a person with a second factor, even if recent', async (_what, attempt) => {
    const person = await join()
    await addTotp(person.actor)
    // Like a session opened at the moment of the set-up.
    const thief = await elsewhere(person)
    await expect(attempt(callBy(await found(thief)))).rejects.toThrow('confirmation_needed')
    expect(await callBy(await found(person.token)).twoFactor.get()).toMatchObject({ totp: true })
  })

  test('does not keep a set-up it started before: its ticket becomes invalid', async () => {
    const person = await join()
    const thief = await found(await elsewhere(person))
    const begun = await callBy(thief).twoFactor.startTotp()
    const planted = await callBy(thief).twoFactor.startPasskey()
    const { code } = await addTotp(person.actor)
    // The session as seen by a request that was running during the set-up.
    const theirs = totpCode(fromBase32(begun.secret), step())
    await expect(callBy(thief).twoFactor.confirmTotp({ ticket: begun.ticket, code: theirs })).rejects.toThrow('unauthorized')
    const passkey = createAuthenticator(origin).create(planted.passkey)
    await expect(callBy(thief).twoFactor.addPasskey({ ticket: planted.ticket, name: 'Key', passkey })).rejects.toThrow('unauthorized')
    await expect(callBy(thief).twoFactor.removeTotp()).rejects.toThrow('unauthorized')
    expect((await callBy(await found(person.token)).twoFactor.get()).passkeys).toEqual([])
    expect((await nobody().auth.secondFactor({ ticket: (await ask(person)).ticket, method: 'totp', code: code() })).user.id).toBe(
      person.user.id,
    )
  })

  test('may do so after verifying the factor', async () => {
    const person = await join()
    const { code } = await addTotp(person.actor)
    const token = await elsewhere(person)
    const { secondFactor } = await callBy(await found(token)).auth.askConfirmation()
    await callBy(await found(token)).auth.confirm({ method: 'totp', ticket: secondFactor?.ticket ?? '', code: code() })
    expect(await proofOf(token)).toBe('totp')
    await callBy(await found(token)).twoFactor.removeTotp()
  })
})

test('a password change keeps the session’s authentication level', async () => {
  const person = await join()
  await addTotp(person.actor)
  const input = { currentPassword: testPassword, password: 'another one', passwordConfirmation: 'another one' }
  const { token } = await callBy(await found(person.token)).me.changePassword(input)
  expect(await proofOf(token)).toBe('totp')
})

/** Runs `change` while `hold` locks the user's row, and resolves when the change waits for the lock or has ended. */
async function whileHeld(userId: string, hold: (tx: SqlTransaction) => Promise<unknown>, change: () => Promise<unknown>) {
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = t.services.db.sql.begin(async (tx) => {
    await tx`select from users where id = ${userId} for update`
    await hold(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  let ended = false
  const changing = change().finally(() => (ended = true))
  changing.catch(() => undefined)
  const waits = async () =>
    ended ||
    (await t.services.db.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length > 0
  await expect.poll(waits).toBe(true)
  released.resolve()
  await holding
  return changing
}

describe('concurrent changes', () => {
  test('of two last factors removed concurrently one stays if the panel requires it', async () => {
    const person = await join()
    await addTotp(person.actor)
    await addPasskey(await found(person.token))
    const actor = await found(person.token)
    const policy = (value: string) =>
      t.services.db.sql`
        insert into panel_settings (key, value) values ('twoFactor', to_jsonb(${value}::text))
        on conflict (key) do update set value = excluded.value`.then(() => clock.advance(2_000))
    await policy('everyone')
    try {
      const removing = whileHeld(
        person.user.id,
        (tx) => tx`delete from passkeys where user_id = ${person.user.id}`,
        () => callBy(actor).twoFactor.removeTotp(),
      )
      await expect(removing).rejects.toThrow('factor_required')
      expect(await callBy(actor).twoFactor.get()).toMatchObject({ totp: true, passkeys: [] })
    } finally {
      await policy('optional')
    }
  })

  test('a password sign-in is asked for a factor that was set up during it', async () => {
    const person = await join()
    const answer = await whileHeld(
      person.user.id,
      (tx) => tx`insert into totp (user_id, secret_sealed, confirmed_at) values (${person.user.id}, 'v1.none', now())`,
      () => nobody().auth.login({ email: person.user.email, password: testPassword }),
    )
    expect(answer).toMatchObject({ secondFactor: { methods: ['totp'] } })
  })

  test('a sign-in whose password was changed during it creates no session', async () => {
    const person = await join()
    const signing = whileHeld(
      person.user.id,
      (tx) => tx`update users set password_hash = 'another' where id = ${person.user.id}`,
      () => nobody().auth.login({ email: person.user.email, password: testPassword }),
    )
    await expect(signing).rejects.toThrow('invalid_credentials')
  })
})

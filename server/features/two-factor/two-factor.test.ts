import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, createTestApp, signIn } from '#server/testing/app.ts'
import type { SignedIn, TestApp } from '#server/testing/app.ts'
import { createAuthenticator, fromBase32 } from '#server/testing/authenticator.ts'
import { testPassword } from '#server/testing/factories.ts'
import { createFakeClock } from '#server/testing/fake-clock.ts'
import { base32, totpCode } from './totp.policy.ts'
import { lockPerson } from './two-factor.repo.ts'

const origin = 'https://panel.test'
const clock = createFakeClock(Date.now())
let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ publicUrl: origin, clock, trustProxy: ['127.0.0.1'] })
})
afterAll(() => t.close())

const step = () => Math.floor(clock.now() / 30_000)

/** A person who signed in this minute. */
async function join(given?: Parameters<typeof signIn>[1]): Promise<SignedIn> {
  const person = await signIn(t.services, given)
  await t.services.sessions.verify(t.services.db.orm, person.actor.sessionId, new Date(clock.now()), 'password')
  return freshly(person)
}
/** The same person with a recent authentication. */
const freshly = (person: SignedIn): SignedIn => {
  const actor = { ...person.actor, verifiedAt: new Date(clock.now()) }
  return { ...person, actor, call: callAs(t.services, actor) }
}

interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly token?: string; readonly secondFactorDue?: boolean; readonly secondFactor?: Asked }
}
interface Asked {
  readonly ticket: string
  readonly methods: readonly string[]
  readonly passkey: Parameters<ReturnType<typeof createAuthenticator>['get']>[0] | null
}

let host = 0
/** A call of the panel's page, from an address used by nothing else in this file. */
async function post(path: string, payload: object, headers: Record<string, string> = {}): Promise<Answer> {
  host += 1
  const from = { 'x-forwarded-for': `198.51.100.${host % 250}`, origin }
  const answer = await t.app.inject({ method: 'POST', url: `/api${path}`, payload, headers: { ...from, ...headers } })
  return { status: answer.statusCode, body: answer.json<Answer['body']>() }
}
const signInAgain = ({ user }: SignedIn) => post('/auth/login', { email: user.email, password: testPassword })
async function ask(person: SignedIn): Promise<Asked> {
  const { secondFactor } = (await signInAgain(person)).body
  if (secondFactor === undefined) throw new Error('no second factor was asked for')
  return secondFactor
}

/** As in the page of the panel. */
const at = (person: SignedIn, from: string | null = origin) => callAs(t.services, person.actor, from)

async function withTotp(given?: Parameters<typeof signIn>[1]) {
  const person = await join(given)
  const { ticket, secret } = await person.call.twoFactor.startTotp()
  const bytes = fromBase32(secret)
  const { recoveryCodes } = await person.call.twoFactor.confirmTotp({ ticket, code: totpCode(bytes, step()) })
  // The code that confirmed the app is used up: the next one is of the next half minute.
  await clock.advance(30_000)
  return { person, secret: bytes, recoveryCodes: recoveryCodes ?? [] }
}

async function withPasskey(verifies = true) {
  const person = await join()
  const authenticator = createAuthenticator(origin, { verifies })
  const { ticket, passkey } = await at(person).twoFactor.startPasskey()
  const made = await at(person).twoFactor.addPasskey({ ticket, name: 'Key', passkey: authenticator.create(passkey) })
  return { person, authenticator, recoveryCodes: made.recoveryCodes ?? [] }
}

const setPolicy = (value: 'optional' | 'admins' | 'everyone') =>
  t.services.db.sql`
    insert into panel_settings (key, value) values ('twoFactor', to_jsonb(${value}::text))
    on conflict (key) do update set value = excluded.value`.then(() => clock.advance(2_000))

describe('one-time codes', () => {
  test('ASVS 6.3.3 a person with an authenticator app is asked for a code, and gets no session before a valid one', async () => {
    const { person, secret, recoveryCodes } = await withTotp()
    expect(recoveryCodes).toHaveLength(10)
    const asked = await signInAgain(person)
    expect([asked.status, asked.body.token]).toEqual([200, undefined])
    const { ticket, methods } = asked.body.secondFactor ?? { ticket: '', methods: [] }
    expect(methods).toEqual(['totp', 'recovery'])

    const wrong = await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step() + 7) })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_second_factor'])
    const right = await post('/auth/second-factor', {
      ticket,
      method: 'totp',
      code: ` ${totpCode(secret, step()).replace(/(...)/, '$1 ')}`,
    })
    expect(right.status).toBe(200)
    expect(await t.services.sessions.find(right.body.token ?? '')).toMatchObject({ userId: person.user.id })
    const again = await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step() + 1) })
    expect(again.body.code).toBe('challenge_expired')
  })

  test('ASVS 6.5.1 a code is accepted once, and no earlier code after it', async () => {
    const { person, secret } = await withTotp()
    await clock.advance(60_000)
    const answers = []
    for (const offset of [0, 0, -1, 1, 1]) {
      const { ticket } = await ask(person)
      answers.push((await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step() + offset) })).status)
    }
    expect(answers).toEqual([200, 401, 401, 200, 401])
  })

  test('the code that confirmed the app cannot be used to sign in', async () => {
    const person = await join()
    const { ticket, secret } = await person.call.twoFactor.startTotp()
    const code = totpCode(fromBase32(secret), step())
    await person.call.twoFactor.confirmTotp({ ticket, code })
    const asked = await ask(person)
    expect((await post('/auth/second-factor', { ticket: asked.ticket, method: 'totp', code })).status).toBe(401)
  })

  test('of fifty concurrent uses of a code exactly one succeeds', async () => {
    const { person, secret } = await withTotp()
    const tickets = await Promise.all(Array.from({ length: 10 }, () => ask(person)))
    const code = totpCode(secret, step())
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post('/auth/second-factor', { ticket: tickets[i % 10]?.ticket, method: 'totp', code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('guesses are limited per person over all tickets, and wrong codes are logged with their user', async () => {
    const { person, secret } = await withTotp()
    const codes: (string | undefined)[] = []
    for (let i = 0; i < 12; i += 1) {
      const { ticket } = await ask(person)
      codes.push((await post('/auth/second-factor', { ticket, method: 'totp', code: '000000' })).body.code)
    }
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'invalid_second_factor'))
    expect(codes.slice(10)).toEqual(['too_many_attempts', 'too_many_attempts'])
    const { ticket } = await ask(person)
    expect((await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step()) })).status).toBe(429)
    const rows = await t.services.db.sql<{ name: string | null }[]>`
      select entity_name as name from activity where owner_id = ${person.user.id} and action = 'denied'`
    expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, () => person.user.email))
  })

  test('a person who only knows the password cannot block the second step in the owner’s known browser or session', async () => {
    const { person, secret } = await withTotp()
    const wrong = async () =>
      (await post('/auth/second-factor', { ticket: (await ask(person)).ticket, method: 'totp', code: '000000' })).status
    const xsrf = 'x'.repeat(22)
    const page = { cookie: `XSRF-TOKEN=${xsrf}`, 'x-xsrf-token': xsrf, origin }
    const answer = async (headers: Record<string, string>) => {
      const payload = { ticket: (await ask(person)).ticket, method: 'totp', code: totpCode(secret, step()) }
      return t.app.inject({ method: 'POST', url: '/api/auth/second-factor', payload, headers })
    }
    const [device] = (await answer(page)).cookies
    for (let i = 0; i < 10; i += 1) expect(await wrong()).toBe(401)
    expect(await wrong()).toBe(429)
    await clock.advance(30_000)
    expect((await answer({ ...page, cookie: `${page.cookie}; ${device?.name}=${device?.value}` })).statusCode).toBe(200)
    await clock.advance(30_000)
    const { ticket } = (await post('/auth/confirmation', {}, person.headers)).body.secondFactor ?? { ticket: '' }
    expect((await post('/auth/confirm', { ticket, method: 'totp', code: totpCode(secret, step()) }, person.headers)).status).toBe(200)
  })

  test('a ticket is valid for five attempts and ten minutes', async () => {
    const { person, secret } = await withTotp()
    const { ticket } = await ask(person)
    for (let i = 0; i < 5; i += 1) await post('/auth/second-factor', { ticket, method: 'totp', code: '000000' })
    expect((await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step()) })).body.code).toBe(
      'challenge_expired',
    )
    const late = await ask(person)
    await clock.advance(10 * 60_000)
    const answer = await post('/auth/second-factor', { ticket: late.ticket, method: 'totp', code: totpCode(secret, step()) })
    expect(answer.body.code).toBe('challenge_expired')
  })

  test('a new app replaces the first one only after its code was correct', async () => {
    const { person, secret } = await withTotp()
    await clock.advance(9 * 60_000)
    await t.services.sessions.verify(t.services.db.orm, person.actor.sessionId, new Date(clock.now()), 'totp')
    const next = await freshly(person).call.twoFactor.startTotp()
    await expect(freshly(person).call.twoFactor.confirmTotp({ ticket: next.ticket, code: '000000' })).rejects.toThrow(
      'invalid_second_factor',
    )
    const old = await ask(person)
    expect((await post('/auth/second-factor', { ticket: old.ticket, method: 'totp', code: totpCode(secret, step()) })).status).toBe(200)
    const other = fromBase32(next.secret)
    expect(await freshly(person).call.twoFactor.confirmTotp({ ticket: next.ticket, code: totpCode(other, step()) })).toEqual({
      recoveryCodes: null,
      sessionsEnded: 0,
    })
    await clock.advance(30_000)
    const { ticket } = await ask(person)
    expect((await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(secret, step()) })).status).toBe(401)
    expect((await post('/auth/second-factor', { ticket, method: 'totp', code: totpCode(other, step()) })).status).toBe(200)
  })

  test('R-PRM-04 neither the secret nor a recovery code is in the database', async () => {
    const { person, secret, recoveryCodes } = await withTotp()
    const rows = JSON.stringify(
      await Promise.all([
        t.services.db.sql`select * from totp`,
        t.services.db.sql`select * from recovery_codes`,
        t.services.db.sql`select * from challenges`,
        t.services.db.sql`select * from activity where owner_id = ${person.user.id}`,
      ]),
    )
    for (const plain of [base32(secret), secret.toString('base64url'), secret.toString('hex'), ...recoveryCodes]) {
      expect(rows).not.toContain(plain)
      expect(rows).not.toContain(plain.replaceAll('-', ''))
    }
  })
})

describe('recovery codes', () => {
  test('one signs in exactly once, also with fifty concurrent uses', async () => {
    const { person, recoveryCodes } = await withTotp()
    const [code = ''] = recoveryCodes
    const tickets = await Promise.all(Array.from({ length: 10 }, () => ask(person)))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post('/auth/second-factor', { ticket: tickets[i % 10]?.ticket, method: 'recovery', code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await person.call.twoFactor.get()).toMatchObject({ recoveryCodesLeft: 9 })
  })

  test('guesses count together with wrong one-time codes', async () => {
    const { person, recoveryCodes } = await withTotp()
    for (let i = 0; i < 10; i += 1) {
      const { ticket } = await ask(person)
      await post('/auth/second-factor', { ticket, method: 'recovery', code: 'aaaa-bbbb-cccc' })
    }
    const { ticket } = await ask(person)
    expect((await post('/auth/second-factor', { ticket, method: 'recovery', code: recoveryCodes[0] })).status).toBe(429)
  })

  test('another person’s code is invalid, and new codes replace the old', async () => {
    const one = await withTotp()
    const other = await withTotp()
    const asked = await ask(one.person)
    expect((await post('/auth/second-factor', { ticket: asked.ticket, method: 'recovery', code: other.recoveryCodes[0] })).status).toBe(401)
    const { recoveryCodes } = await freshly(one.person).call.twoFactor.renewRecoveryCodes()
    const old = await post('/auth/second-factor', { ticket: asked.ticket, method: 'recovery', code: one.recoveryCodes[0] })
    const fresh = await post('/auth/second-factor', { ticket: asked.ticket, method: 'recovery', code: recoveryCodes[0] })
    expect([old.status, fresh.status]).toEqual([401, 200])
  })

  test('are deleted with the last second factor', async () => {
    const { person } = await withTotp()
    await freshly(person).call.twoFactor.removeTotp()
    expect(await person.call.twoFactor.get()).toEqual({ totp: false, passkeys: [], recoveryCodesLeft: 0, required: false })
    expect((await signInAgain(person)).body.token).toBeTypeOf('string')
    await expect(freshly(person).call.twoFactor.renewRecoveryCodes()).rejects.toThrow('conflict')
  })
})

describe('passkeys', () => {
  test('one is accepted as second step, and its response only once', async () => {
    const { person, authenticator } = await withPasskey(false)
    const asked = await ask(person)
    expect(asked.methods).toEqual(['passkey', 'recovery'])
    if (asked.passkey === null) throw new Error('no passkey was asked for')
    const passkey = authenticator.get(asked.passkey)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/auth/second-factor', { ticket: asked.ticket, method: 'passkey', passkey })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // The same response does not match a new challenge.
    const next = await ask(person)
    const replayed = await post('/auth/second-factor', { ticket: next.ticket, method: 'passkey', passkey })
    expect(replayed.body.code).toBe('passkey_failed')
    const spent = await post('/auth/second-factor', { ticket: next.ticket, method: 'passkey', passkey: authenticator.get(asked.passkey) })
    expect(spent.body.code).toBe('challenge_expired')
  })

  test('one with user verification signs in without a password; one with presence only does not', async () => {
    for (const verifies of [true, false]) {
      const { person, authenticator } = await withPasskey(verifies)
      const call = callAs(t.services, null, origin)
      const { ticket, passkey } = await call.auth.askForPasskey()
      expect(passkey).toMatchObject({ rpId: 'panel.test', userVerification: 'required' })
      const signed = call.auth.signInByPasskey({ ticket, passkey: authenticator.get(passkey) })
      if (verifies) expect((await signed).user.id).toBe(person.user.id)
      else await expect(signed).rejects.toThrow('passkey_failed')
      await expect(call.auth.signInByPasskey({ ticket, passkey: authenticator.get(passkey) })).rejects.toThrow('challenge_expired')
    }
  })

  test('an unregistered key, one of another panel and a cloned one are refused', async () => {
    const { person, authenticator } = await withPasskey()
    const stranger = createAuthenticator(origin)
    const tried = async (answer: (asked: NonNullable<Asked['passkey']>) => ReturnType<typeof stranger.get>) => {
      const { ticket, passkey } = await ask(person)
      if (passkey === null) throw new Error('no passkey was asked for')
      return (await post('/auth/second-factor', { ticket, method: 'passkey', passkey: answer(passkey) })).body.code
    }
    expect(await tried((asked) => stranger.get(asked))).toBe('passkey_failed')
    expect(await tried((asked) => authenticator.get({ ...asked, rpId: 'evil.test' }))).toBe('passkey_failed')
    expect(await tried((asked) => ({ ...stranger.get(asked), id: authenticator.get(asked).id }))).toBe('passkey_failed')
    // Its counter has advanced elsewhere: a lower counter indicates a clone.
    await t.services.db.sql`update passkeys set counter = 1000 where user_id = ${person.user.id}`
    expect(await tried((asked) => authenticator.get(asked))).toBe('passkey_failed')
  })

  test('a page of another origin or an address without a host name cannot register one', async () => {
    const person = await join()
    const { ticket, passkey } = await at(person).twoFactor.startPasskey()
    const phished = createAuthenticator('https://panel.test.evil.example').create(passkey)
    await expect(at(person).twoFactor.addPasskey({ ticket, name: 'Key', passkey: phished })).rejects.toThrow('passkey_failed')
    for (const from of [null, 'http://127.0.0.1:3000', 'https://[::1]', 'http://panel.test']) {
      await expect(at(person, from).twoFactor.startPasskey()).rejects.toThrow('passkey_failed')
    }
    expect((await at(person, 'http://localhost:3000').twoFactor.startPasskey()).passkey.rp.id).toBe('localhost')
  })

  test('a session authenticated as another person cannot register one', async () => {
    const ann = await join()
    const bob = await join()
    const { ticket, passkey } = await at(ann).twoFactor.startPasskey()
    const made = createAuthenticator(origin).create(passkey)
    await expect(at(bob).twoFactor.addPasskey({ ticket, name: 'Key', passkey: made })).rejects.toThrow('challenge_expired')
    await at(ann).twoFactor.addPasskey({ ticket, name: 'Key', passkey: made })
    const { passkeys } = await ann.call.twoFactor.get()
    expect(passkeys).toMatchObject([{ name: 'Key', lastUsedAt: null }])
    await expect(at(bob).twoFactor.removePasskey({ id: passkeys[0]?.id ?? '' })).rejects.toThrow('not_found')
  })
})

describe('ASVS 7.5.1 step-up authentication', () => {
  const stale = (person: SignedIn) =>
    t.services.sessions.verify(t.services.db.orm, person.actor.sessionId, new Date(clock.now() - 11 * 60_000), 'totp')
  const fresh = async (person: SignedIn) => {
    const { statusCode } = await t.app.inject({
      method: 'POST',
      url: '/trpc/twoFactor.startTotp',
      headers: { ...person.headers, origin },
      payload: {},
    })
    return statusCode
  }

  test('is not required right after sign-in; after ten minutes it requires the password, for this session only', async () => {
    const person = await join()
    const elsewhere = await t.services.sessions.create(t.services.db.orm, person.user.id, { address: null, userAgent: null })
    await t.services.db
      .sql`update sessions set verified_at = ${new Date(clock.now() - 11 * 60_000).toISOString()} where user_id = ${person.user.id}`
    expect(await fresh(person)).toBe(403)
    expect((await post('/auth/confirmation', {}, person.headers)).body).toEqual({ secondFactor: null })
    const wrong = await post('/auth/confirm', { method: 'password', password: 'not that' }, person.headers)
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    expect(await fresh(person)).toBe(403)
    expect((await post('/auth/confirm', { method: 'password', password: testPassword }, person.headers)).status).toBe(200)
    expect(await fresh(person)).toBe(200)
    expect((await t.services.sessions.find(elsewhere))?.verifiedAt?.getTime()).toBeLessThan(clock.now() - 10 * 60_000)
  })

  test('requires the second factor from those who have one, and the password is not enough', async () => {
    const { person, secret } = await withTotp()
    await stale(person)
    const password = await post('/auth/confirm', { method: 'password', password: testPassword }, person.headers)
    expect(password.body.code).toBe('invalid_second_factor')
    const { ticket } = (await post('/auth/confirmation', {}, person.headers)).body.secondFactor ?? { ticket: '' }
    expect((await post('/auth/confirm', { ticket, method: 'totp', code: totpCode(secret, step()) }, person.headers)).status).toBe(200)
    expect(await fresh(person)).toBe(200)
  })

  test('a sign-in ticket cannot be used for it, its ticket cannot sign in, and another session’s ticket is invalid', async () => {
    const { person, secret } = await withTotp()
    const stranger = await withTotp()
    const code = totpCode(secret, step())
    const signing = await ask(person)
    const { ticket } = (await post('/auth/confirmation', {}, person.headers)).body.secondFactor ?? { ticket: '' }
    expect((await post('/auth/confirm', { ticket: signing.ticket, method: 'totp', code }, person.headers)).body.code).toBe(
      'challenge_expired',
    )
    expect((await post('/auth/second-factor', { ticket, method: 'totp', code })).body.code).toBe('challenge_expired')
    const others = await post('/auth/confirm', { ticket, method: 'totp', code }, stranger.person.headers)
    expect(others.body.code).toBe('challenge_expired')
  })

  test('guesses at the password are limited', async () => {
    const person = await join()
    for (let i = 0; i < 10; i += 1) await post('/auth/confirm', { method: 'password', password: 'not that' }, person.headers)
    expect((await post('/auth/confirm', { method: 'password', password: testPassword }, person.headers)).status).toBe(429)
  })
})

describe('a required second factor', () => {
  test('blocks all other calls until it is set up, and the last factor cannot be removed', async () => {
    const ann = await join()
    const admin = await join({ role: 'admin' })
    const answers = async ({ headers }: SignedIn) => (await t.app.inject({ url: '/api/groups', headers })).statusCode
    try {
      await setPolicy('admins')
      expect([await answers(ann), await answers(admin)]).toEqual([200, 403])
      await setPolicy('everyone')
      const refused = await t.app.inject({ url: '/api/groups', headers: ann.headers })
      expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'second_factor_required'])
      expect((await signInAgain(ann)).body).toMatchObject({ secondFactorDue: true })
      expect((await t.app.inject({ url: '/api/auth/me', headers: ann.headers })).statusCode).toBe(200)

      const { ticket, secret } = await freshly(ann).call.twoFactor.startTotp()
      await freshly(ann).call.twoFactor.confirmTotp({ ticket, code: totpCode(fromBase32(secret), step()) })
      expect(await answers(ann)).toBe(200)
      expect(await ann.call.twoFactor.get()).toMatchObject({ totp: true, required: true })
      await expect(freshly(ann).call.twoFactor.removeTotp()).rejects.toThrow('factor_required')
      expect(await answers(ann)).toBe(200)
    } finally {
      await setPolicy('optional')
    }
    expect(await answers(admin)).toBe(200)
  })

  test('of two factors removed concurrently the last one stays', async () => {
    const ann = await join()
    const { ticket, passkey } = await at(ann).twoFactor.startPasskey()
    await at(ann).twoFactor.addPasskey({ ticket, name: 'Key', passkey: createAuthenticator(origin).create(passkey) })
    const made = await freshly(ann).call.twoFactor.startTotp()
    await freshly(ann).call.twoFactor.confirmTotp({ ticket: made.ticket, code: totpCode(fromBase32(made.secret), step()) })
    const { db } = t.services
    try {
      await setPolicy('everyone')
      let removed = Promise.resolve('nothing')
      await db.orm.transaction(async (tx) => {
        // The removal of the other one is half completed.
        await lockPerson(tx, ann.user.id)
        await tx.execute(sql`delete from passkeys where user_id = ${ann.user.id}`)
        removed = freshly(ann)
          .call.twoFactor.removeTotp()
          .then(
            () => 'removed',
            (error: unknown) => String(error),
          )
        const waiting = () => db.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1)
      })
      expect(await removed).toContain('factor_required')
      expect(await freshly(ann).call.twoFactor.get()).toMatchObject({ totp: true, passkeys: [] })
    } finally {
      await setPolicy('optional')
    }
  })

  test('an administrator resets it for a person who lost it; their sessions end', async () => {
    const { person } = await withTotp()
    const other = await join()
    const admin = await join({ role: 'admin' })
    await expect(other.call.twoFactor.reset({ userId: person.user.id })).rejects.toThrow('forbidden')
    await freshly(admin).call.twoFactor.reset({ userId: person.user.id })
    expect(await t.services.sessions.find(person.token)).toBeNull()
    expect((await signInAgain(person)).body.token).toBeTypeOf('string')
    await expect(freshly(admin).call.twoFactor.reset({ userId: crypto.randomUUID() })).rejects.toThrow('not_found')
  })
})

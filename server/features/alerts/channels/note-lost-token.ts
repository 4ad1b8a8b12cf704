import type { Services } from '#server/platform/context.ts'
import { noteFailureOfChats } from './channels.repo.ts'

/**
 * Shows at a person's chats that their bot's token was sealed with another key.
 * @returns whether one of them did not say so yet
 */
export const noteLostToken = ({ db, clock, events }: Pick<Services, 'db' | 'clock' | 'events'>, ownerId: string): Promise<boolean> =>
  db.orm.transaction(async (tx) => {
    const failure = { code: 'secret_lost' as const, message: '', at: new Date(clock.now()).toISOString() }
    const isNew = await noteFailureOfChats(tx, ownerId, failure)
    if (isNew) await events.publish(tx, ownerId, 'monitoring')
    return isNew
  })

import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { type Outputs, trpc } from '#client/lib/trpc.ts'

/** Describes what was revoked besides sessions, and refetches the lists concerned. */
export function useEndedAccess() {
  const { t } = useTranslation('me')
  const utils = trpc.useUtils()
  return ({ feedEnded, tokensRevoked }: Pick<Outputs['me']['endOtherSessions'], 'feedEnded' | 'tokensRevoked'>): string => {
    void utils.me.sessions.invalidate()
    if (tokensRevoked > 0) void utils.apiTokens.list.invalidate()
    if (feedEnded) void utils.registrars.calendarFeed.invalidate()
    return [...(feedEnded ? [t('feed_ended')] : []), ...(tokensRevoked > 0 ? [t('tokens_revoked', counted(tokensRevoked))] : [])].join(' ')
  }
}

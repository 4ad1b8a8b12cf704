import { linkOptions } from '@tanstack/react-router'
import type { Notification } from '#shared/features/notifications/schema.ts'

/** The page that shows more about a notification. */
export const linkOf = ({ kind, id }: Pick<Notification, 'kind' | 'id'>) =>
  kind === 'incident'
    ? linkOptions({ to: '/monitoring', search: { tab: 'incidents', incident: id } })
    : linkOptions({ to: '/operations/$id', params: { id }, search: {} })

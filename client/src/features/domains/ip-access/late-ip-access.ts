import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The section for other features, loaded when it is first shown. */
export const LateIpAccess = lazyPart(async () => (await import('./ip-access-section.tsx')).IpAccessSection, 'ip-access')

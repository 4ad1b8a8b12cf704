/** Seals a secret to the person whose it is. */
export const totpContext = (userId: string): string => `user:${userId}:totp`

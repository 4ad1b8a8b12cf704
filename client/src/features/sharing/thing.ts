/** What is shared: a group or an account. */
export type Thing = { readonly groupId: string } | { readonly accountId: string }

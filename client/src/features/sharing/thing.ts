/** What is shared: a group, an account or a registrar. */
export type Thing = { readonly groupId: string } | { readonly accountId: string } | { readonly registrarId: string }

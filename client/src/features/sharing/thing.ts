/** What is shared: a group, an account, a registrar or a tracker. */
export type Thing =
  | { readonly groupId: string }
  | { readonly accountId: string }
  | { readonly registrarId: string }
  | { readonly trackerId: string }

import { z } from 'zod'
import {
  checkNamesInput,
  checkNamesOutput,
  contactAnswer,
  contactIdInput,
  createContactInput,
  listContactsInput,
  listContactsOutput,
  listPurchasesInput,
  receipt,
  updateContactInput,
} from '#shared/features/registrars/buying/schema.ts'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { checkNames } from './check-names.ts'
import { listContacts } from './get-contact.ts'
import { listPurchases } from './list-purchases.ts'
import { createContact, removeContact, updateContact } from './save-contact.ts'

const tags = ['Registration']

const contactsRouter = t.router({
  list: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/registration/contacts',
        tags,
        summary: 'List registrant contacts',
        description: 'The default contact comes first.',
      },
    })
    .input(listContactsInput)
    .output(listContactsOutput)
    .query(({ ctx, input }) => listContacts(ctx, input)),
  create: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/registration/contacts', tags, summary: 'Create a registrant contact' },
      rest: { status: 201 },
    })
    .input(createContactInput)
    .output(contactAnswer)
    .mutation(({ ctx, input }) => createContact(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/registration/contacts/{id}',
        tags,
        summary: 'Update a registrant contact',
        description: 'Absent fields stay unchanged.',
      },
    })
    .input(updateContactInput)
    .output(contactAnswer)
    .mutation(({ ctx, input }) => updateContact(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/registration/contacts/{id}',
        tags,
        summary: 'Delete a registrant contact',
        description: 'Purchased domains are not affected.',
      },
      rest: { status: 204 },
    })
    .input(contactIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => removeContact(ctx, input)),
})

export const buyingRouter = t.router({
  contacts: contactsRouter,
  purchases: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/registration/purchases',
        tags,
        summary: 'List purchases',
        description: 'Returns the price, fees, term, registrar, and total of each purchase.',
      },
    })
    .input(listPurchasesInput)
    .output(receipt)
    .query(({ ctx, input }) => listPurchases(ctx, input)),
  /** A read-only mutation, because the names may not fit into a URL. */
  check: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/registration/check', tags, summary: 'Check availability and prices of domain names' },
      forReaders: 'always',
    })
    .input(checkNamesInput)
    .output(checkNamesOutput)
    .mutation(({ ctx, input }) => checkNames(ctx, input)),
})

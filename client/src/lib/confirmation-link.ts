import type { TRPCClientError, TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AnyTRPCRouter } from '@trpc/server'
import { askConfirmation } from './confirmation.ts'

/** When a call requires recent authentication, asks the user for it and repeats the call. The caller only waits. */
export const confirmationLink =
  <Router extends AnyTRPCRouter>(): TRPCLink<Router> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let wanted = true
      const ask = async (refusal: TRPCClientError<Router>): Promise<void> => {
        const confirmed = await askConfirmation()
        if (!wanted) return
        if (confirmed) running = next(op).subscribe(observer)
        else observer.error(refusal)
      }
      let running = next(op).subscribe({
        ...observer,
        error: (error) => {
          if (error.data?.code === 'confirmation_needed') void ask(error)
          else observer.error(error)
        },
      })
      return () => {
        wanted = false
        running.unsubscribe()
      }
    })

import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from './trpc.ts'
import { askConfirmation } from './confirmation.ts'

/** Where a call is refused until the person proves that it is them: asks them, then makes the call again. Whoever called just waits. */
export const confirmationLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let wanted = true
      const first = next(op).subscribe({
        ...observer,
        error: (error) => {
          if (error.data?.code !== 'confirmation_needed') return observer.error(error)
          void askConfirmation().then((confirmed) => {
            if (!wanted) return
            if (confirmed) second = next(op).subscribe(observer)
            else observer.error(error)
          })
        },
      })
      let second: typeof first | null = null
      return () => {
        wanted = false
        first.unsubscribe()
        second?.unsubscribe()
      }
    })

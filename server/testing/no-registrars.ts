import type { Registrars } from '#server/ports/registrar.ts'

/** For tests that call no registrar. */
export const noRegistrars: Registrars = {
  connect: () => {
    throw new Error('there are no registrars here')
  },
  close: () => Promise.resolve(),
}

import { adminProcedure, t, userProcedure } from '#server/transports/trpc/trpc.ts'
import { panelSettingsAnswer, systemState, updatePanelSettingsInput } from '#shared/features/settings/schema.ts'
import { getPanelSettings, isRegistrationUndecided } from './panel-settings.ts'
import { getSystem } from './get-system.ts'
import { updateSettings } from './update-settings.ts'

const tags = ['Settings']

export const settingsRouter = t.router({
  get: adminProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/settings',
        tags,
        summary: 'Get panel settings',
        description: 'Requires an administrator with a session token.',
      },
    })
    .output(panelSettingsAnswer)
    .query(async ({ ctx }) => ({
      settings: await getPanelSettings(ctx),
      registrationUndecided: await isRegistrationUndecided(ctx.db.orm, ctx.registration),
    })),
  update: adminProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/settings',
        tags,
        summary: 'Update panel settings',
        description: 'Absent fields stay unchanged. Requires an administrator with a session token.',
      },
    })
    .input(updatePanelSettingsInput)
    .output(panelSettingsAnswer)
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
  system: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/settings/system',
        tags,
        summary: 'Get system status',
        description: 'Returns the state of your accounts and, for administrators with a session token, of the panel.',
      },
    })
    .output(systemState)
    .query(({ ctx }) => getSystem(ctx)),
})

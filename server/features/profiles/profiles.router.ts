import { z } from 'zod'
import { t, userProcedure } from '#server/transports/trpc/trpc.ts'
import {
  adoptInput,
  adoptionAnswer,
  countDifferingOutput,
  domainProfileAnswer,
  domainValuesInput,
  groupValuesInput,
  listProfileDomainsInput,
  listProfileDomainsOutput,
  listProfilesOutput,
  profileAnswer,
  profileDomainIdsOutput,
  profileFields,
  profileIdInput,
  profileValuesAnswer,
  removeProfileOutput,
  setDefaultProfileInput,
  setValuesInput,
  updateProfileInput,
} from '#shared/features/profiles/schema.ts'
import { adoptDomain, previewAdoption } from './adopt-domain.ts'
import { countDiffering, forgetProfile, getDomainProfile, listProfileDomainIds, listProfileDomains } from './domain-profile.ts'
import { getProfile, listProfiles } from './get-profile.ts'
import { getDomainValues, getGroupValues, setDomainValues, setGroupValues } from './profile-values.ts'
import { createProfile, duplicateProfile, removeProfile, setDefaultProfile, updateProfile } from './save-profile.ts'

const tags = ['Profiles']
const domainIdInput = z.object({ id: z.uuid() })

export const profilesRouter = t.router({
  list: userProcedure
    .meta({ openapi: { method: 'GET', path: '/profiles', tags, summary: 'List profiles', description: 'Sorted by name.' } })
    .output(listProfilesOutput)
    .query(({ ctx }) => listProfiles(ctx)),
  get: userProcedure
    .meta({ openapi: { method: 'GET', path: '/profiles/{id}', tags, summary: 'Get a profile' } })
    .input(profileIdInput)
    .output(profileAnswer)
    .query(async ({ ctx, input }) => ({ profile: await getProfile(ctx, input.id) })),
  create: userProcedure
    .meta({ openapi: { method: 'POST', path: '/profiles', tags, summary: 'Create a profile' }, rest: { status: 201 } })
    .input(profileFields)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => createProfile(ctx, input)),
  update: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/profiles/{id}',
        tags,
        summary: 'Update a profile',
        description: 'Domains that use the profile are not changed until it is applied to them.',
      },
    })
    .input(updateProfileInput)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => updateProfile(ctx, input)),
  remove: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/profiles/{id}',
        tags,
        summary: 'Delete a profile',
        description: 'Domains that use the profile keep their settings.',
      },
    })
    .input(profileIdInput)
    .output(removeProfileOutput)
    .mutation(({ ctx, input }) => removeProfile(ctx, input)),
  duplicate: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/profiles/{id}/duplicate', tags, summary: 'Duplicate a profile' },
      rest: { status: 201 },
    })
    .input(profileIdInput)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => duplicateProfile(ctx, input)),
  setDefault: userProcedure
    .meta({
      openapi: { method: 'POST', path: '/profiles/{id}/default', tags, summary: 'Set or clear the default profile for new domains' },
    })
    .input(setDefaultProfileInput)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => setDefaultProfile(ctx, input)),
  domains: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/profiles/{id}/zones', tags, summary: 'List domains of a profile and their differences' },
    })
    .input(listProfileDomainsInput)
    .output(listProfileDomainsOutput)
    .query(({ ctx, input }) => listProfileDomains(ctx, input)),
  domainIds: userProcedure
    .input(profileIdInput)
    .output(profileDomainIdsOutput)
    .query(({ ctx, input }) => listProfileDomainIds(ctx, input)),
  differing: userProcedure
    .input(profileIdInput)
    .output(countDifferingOutput)
    .query(({ ctx, input }) => countDiffering(ctx, input)),
  ofDomain: userProcedure
    .meta({
      openapi: { method: 'GET', path: '/zones/{id}/profile', tags, summary: 'Get the profile of a domain and the differences' },
    })
    .input(domainIdInput)
    .output(domainProfileAnswer)
    .query(({ ctx, input }) => getDomainProfile(ctx, input)),
  forget: userProcedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/zones/{id}/profile',
        tags,
        summary: 'Detach a domain from its profile',
        description: 'The settings of the domain stay unchanged.',
      },
    })
    .input(domainIdInput)
    .output(z.void())
    .mutation(({ ctx, input }) => forgetProfile(ctx, input)),
  domainValues: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/profiles/{profileId}/values',
        tags,
        summary: 'Get the values of a profile’s variables for a domain',
      },
    })
    .input(domainValuesInput)
    .output(profileValuesAnswer)
    .query(({ ctx, input }) => getDomainValues(ctx, input)),
  setDomainValues: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/zones/{id}/profiles/{profileId}/values',
        tags,
        summary: 'Set values of a profile’s variables for a domain',
        description: 'They take precedence over those of its group. The rules do not change until the profile is applied.',
      },
    })
    .input(setValuesInput)
    .output(profileValuesAnswer)
    .mutation(({ ctx, input }) => setDomainValues(ctx, input)),
  groupValues: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/groups/{id}/profiles/{profileId}/values',
        tags,
        summary: 'Get the values of a profile’s variables for a group',
      },
    })
    .input(groupValuesInput)
    .output(profileValuesAnswer)
    .query(({ ctx, input }) => getGroupValues(ctx, input)),
  setGroupValues: userProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/groups/{id}/profiles/{profileId}/values',
        tags,
        summary: 'Set values of a profile’s variables for the domains of a group',
        description: 'They take precedence over those of the profile. The rules do not change until the profile is applied.',
      },
    })
    .input(setValuesInput)
    .output(profileValuesAnswer)
    .mutation(({ ctx, input }) => setGroupValues(ctx, input)),
  previewAdoption: userProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/zones/{id}/profile/adoption',
        tags,
        summary: 'Preview adopting a domain into its profile',
        description: 'Compares the profile with the stored settings and rules of the domain, and counts the domains that would differ.',
      },
    })
    .input(domainIdInput)
    .output(adoptionAnswer)
    .query(({ ctx, input }) => previewAdoption(ctx, input)),
  adopt: userProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/zones/{id}/profile/adoption',
        tags,
        summary: 'Adopt a domain into its profile',
        description: 'The settings and rules of the domain become a new version of the profile. Other domains are not changed.',
      },
    })
    .input(adoptInput)
    .output(profileAnswer)
    .mutation(({ ctx, input }) => adoptDomain(ctx, input)),
})

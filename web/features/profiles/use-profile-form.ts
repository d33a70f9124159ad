import { bioMaxLength, type Category } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { profileEditorTexts } from '@ovation/contract/texts/profile-editor'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { viewerKey } from '../../lib/auth/viewer.ts'
import { isDisplayName, isWebAddress } from '../../lib/forms/validators.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type Profile, profileKey } from './queries.ts'

const editor = profileEditorTexts

/** API-REST-03, with the categories of D36. Empty texts are stored as null. */
export function useProfileForm(profile: Profile, onSaved: () => void) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: {
      displayName: profile.display_name ?? '',
      bio: profile.bio ?? '',
      website: profile.website_url ?? '',
      categories: profile.categories as Category[],
      isCreator: profile.is_creator,
    },
    validate: {
      displayName: (value) => (isDisplayName(value) ? null : authTexts.errors.displayNameLong),
      bio: (value) => (value.length <= bioMaxLength ? null : editor.bioLong),
      website: (value) => (value.trim() === '' || isWebAddress(value.trim()) ? null : editor.websiteWrong),
    },
    draft: { key: `profile:${profile.id}` },
  })

  const save = useMutation({
    mutationFn: async (values: typeof form.values) => {
      await supabase
        .from('profiles')
        .update({
          display_name: values.displayName.trim() || null,
          bio: values.bio.trim() || null,
          website_url: values.website.trim() || null,
          categories: values.categories,
          is_creator: values.isCreator,
        })
        .eq('id', profile.id)
        .throwOnError()
    },
    onSuccess: () => {
      form.forgetDraft()
      toast.success(editor.saved)
      void queryClient.invalidateQueries({ queryKey: profileKey })
      void queryClient.invalidateQueries({ queryKey: viewerKey })
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
      onSaved()
    },
  })
  return {
    form,
    submit: form.handleSubmit((values) => save.mutateAsync(values)),
    pending: save.isPending,
    error: save.error,
  }
}

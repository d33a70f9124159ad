import { frontHeadlineMaxLength, frontMessageMaxLength, frontPictureAltMaxLength } from '@ovation/contract/limits'
import { frontPageTexts as texts } from '@ovation/contract/texts/front-page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { frontPicture } from '../../../domain/front-page/front-picture.tsx'
import { type FrontPage, frontLogo, frontPageQuery } from '../../../domain/front-page/queries.ts'
import { supabase } from '../../../lib/api/supabase.ts'
import { usePicture } from '../../../lib/uploads/use-picture.ts'
import { isColor } from '../../../ui/accent-shades.ts'
import { toast } from '../../../ui/toast.ts'
import { useAppForm } from '../../../ui/use-app-form.ts'
import { type Featured, featuredQuery } from './featured-queries.ts'

/** Empty for the product's own. */
export type FrontPageValues = { headline: string; message: string; alt: string; accent: string; creators: Featured[] }

const { errors } = texts
const nothing: FrontPageValues = { headline: '', message: '', alt: '', accent: '', creators: [] }
const places = {
  picture: { bucket: 'front-page', folder: 'picture', addressOf: frontPicture },
  logo: { bucket: 'front-page', folder: 'logo', addressOf: frontLogo },
} as const

export function useFrontPageForm(page: FrontPage, featured: Featured[]) {
  const queryClient = useQueryClient()
  const picture = usePicture(places.picture, page.picture_path)
  const logo = usePicture(places.logo, page.logo_path)
  const form = useAppForm<FrontPageValues>({
    initialValues: {
      headline: page.headline ?? '',
      message: page.message ?? '',
      alt: page.picture_alt ?? '',
      accent: page.accent ?? '',
      creators: featured,
    },
    validate: {
      headline: (value) => (value.trim().length <= frontHeadlineMaxLength ? null : errors.headlineLong),
      message: (value) => (value.trim().length <= frontMessageMaxLength ? null : errors.messageLong),
      alt: (value) => (value.trim().length <= frontPictureAltMaxLength ? null : errors.altLong),
      accent: (value) => (value.trim() === '' || isColor(value.trim()) ? null : errors.color),
    },
    // Pictures can't be kept: useLeavingWarning.
    draft: { key: 'front-page' },
  })

  const save = useMutation({
    mutationFn: async ({ headline, message, alt, accent, creators }: FrontPageValues): Promise<FrontPage> => {
      const [pictureAt, logoAt] = await Promise.all([picture.upload(), logo.upload()])
      const saved: FrontPage = {
        headline: headline.trim() || null,
        message: message.trim() || null,
        accent: accent.trim().toLowerCase() || null,
        picture_path: pictureAt ?? null,
        picture_alt: pictureAt ? alt.trim() || null : null,
        logo_path: logoAt ?? null,
      }
      await supabase
        .rpc('set_front_page', {
          ...(saved.headline && { headline: saved.headline }),
          ...(saved.message && { message: saved.message }),
          ...(saved.accent && { accent: saved.accent }),
          ...(saved.picture_path && { picture_path: saved.picture_path }),
          ...(saved.picture_alt && { picture_alt: saved.picture_alt }),
          ...(saved.logo_path && { logo_path: saved.logo_path }),
          creator_ids: creators.map(({ id }) => id),
        })
        .throwOnError()
      return saved
    },
    onSuccess: (saved) => {
      form.forgetDraft()
      queryClient.setQueryData(frontPageQuery().queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: featuredQuery().queryKey })
      toast.success(texts.savedHint, texts.saved)
    },
  })

  return {
    form,
    picture,
    logo,
    hasUnsentPictures: [picture, logo].some(({ picture: chosen }) => chosen?.file && !chosen.path),
    /** Empties the form. */
    clear: () => {
      form.setValues(nothing)
      form.clearErrors()
      picture.choose(undefined)
      logo.choose(undefined)
    },
    submit: form.handleSubmit((values) => save.mutateAsync(values)),
    pending: save.isPending,
    error: save.error,
  }
}

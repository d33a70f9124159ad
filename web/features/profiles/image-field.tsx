import { Button, FileButton } from '@mantine/core'
import { profileEditorTexts } from '@ovation/contract/texts/profile-editor'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { nameOf, viewerKey } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { imageTypes, refusalOf, uploadImage } from '../../lib/uploads/upload-image.ts'
import { ProfileAvatar, toneOf } from '../../ui/profile-avatar.tsx'
import { toast } from '../../ui/toast.ts'
import tones from '../../ui/tone.module.css'
import classes from './profile-editor.module.css'
import { type Profile, profileKey } from './queries.ts'

const CropDialog = lazy(() => import('../../ui/crop-dialog.tsx'))

const editor = profileEditorTexts

const kinds = {
  avatar: { bucket: 'avatars', column: 'avatar_url', label: editor.avatar, change: editor.changeAvatar },
  banner: { bucket: 'banners', column: 'cover_url', label: editor.banner, change: editor.changeBanner },
} as const

/** The avatar or the banner, replaced by choosing a file and cropping it (PROF-08, PROF-11, PROF-12, API-REST-04). */
export function ImageField({ kind, profile }: { kind: 'avatar' | 'banner'; profile: Profile }) {
  const { bucket, column, label, change } = kinds[kind]
  const queryClient = useQueryClient()
  const [cropping, setCropping] = useState<File>()
  const shown = publicImage(profile[column], profile.updated_at)

  const upload = useMutation({
    mutationFn: async (file: File) => {
      const url = await uploadImage(bucket, profile.user_id, file)
      await supabase
        .from('profiles')
        .update(column === 'avatar_url' ? { avatar_url: url } : { cover_url: url })
        .eq('id', profile.id)
        .throwOnError()
    },
    onSuccess: () => {
      toast.success(editor.imageSaved)
      void queryClient.invalidateQueries({ queryKey: profileKey })
      void queryClient.invalidateQueries({ queryKey: viewerKey })
    },
    onError: () => toast.error(editor.uploadFailed.message, editor.uploadFailed.title),
  })

  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (!file) return
    reset.current?.() // allows choosing the same file again, for example to crop it differently
    const refusal = refusalOf(file)
    if (refusal) toast.error(refusal === 'too-large' ? editor.tooLarge : editor.notAnImage, editor.uploadFailed.title)
    // GIFs aren't cropped, which would keep only the first frame.
    else if (file.type === 'image/gif') upload.mutate(file)
    else setCropping(file)
  }

  return (
    <div className={classes.image}>
      {kind === 'banner' ? (
        <Banner src={shown} name={nameOf(profile)} />
      ) : (
        <div className={classes.preview}>
          <ProfileAvatar name={nameOf(profile)} src={shown} size={72} />
        </div>
      )}
      <div className={classes.imageWords}>
        <div className={classes.imageLabel}>{label}</div>
        <p className={classes.imageHint}>{editor.imageHint}</p>
      </div>
      <FileButton onChange={choose} resetRef={reset} accept={imageTypes.join(',')} inputProps={{ 'aria-label': label }}>
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending} aria-label={change}>
            {editor.change}
          </Button>
        )}
      </FileButton>
      {cropping && (
        <Suspense>
          <CropDialog
            kind={kind}
            file={cropping}
            onCropped={(file) => {
              setCropping(undefined)
              upload.mutate(file)
            }}
            onClose={() => setCropping(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** As on the profile: without a picture, a band in the name's color. */
function Banner({ src, name }: { src: string | null; name: string }) {
  if (!src) return <div className={`${classes.band} ${tones.tone}`} data-tone={toneOf(name)} />
  return (
    <div className={classes.banner}>
      <img src={src} alt="" />
    </div>
  )
}

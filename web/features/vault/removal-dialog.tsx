import { Button, Group, Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { removalQuery, type VaultFile, type VaultRemoval } from '../../domain/vault/queries.ts'
import { vaultKey } from '../../domain/vault/vault-key.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { destructive } from '../../ui/destructive.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './file-sheet.module.css'
import { Uses } from './uses.tsx'

const texts = vaultTexts.removal

type Props = { files: VaultFile[]; onRemoved: () => void; onClose: () => void }

/** Says where files are used and who keeps them, and deletes them (VAULT-06). */
export default function RemovalDialog({ files, onRemoved, onClose }: Props) {
  const queryClient = useQueryClient()
  const ids = files.map(({ id }) => id)
  const foreseen = useQuery(removalQuery(ids))
  const [only, ...others] = files
  const remove = useMutation({
    mutationFn: async () => {
      const { data } = await supabase.rpc('delete_vault_files', { file_ids: ids }).throwOnError()
      return data
    },
    onSuccess: (count) => {
      toast.success(texts.done(count))
      void queryClient.invalidateQueries({ queryKey: vaultKey })
      void queryClient.invalidateQueries({ queryKey: ['posts'] })
      void queryClient.invalidateQueries({ queryKey: ['stories'] })
      onRemoved()
      onClose()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  const none = foreseen.data?.staying_files === files.length
  return (
    <Dialog title={texts.title(files.length)} onClose={onClose} closable={!remove.isPending}>
      {foreseen.isPending ? (
        <Skeleton height={72} />
      ) : foreseen.isError ? (
        <LoadFailed title={texts.loadFailed} of={foreseen} />
      ) : (
        <>
          {consequencesOf(foreseen.data).map((sentence) => (
            <p key={sentence} className={classes.consequence}>
              {sentence}
            </p>
          ))}
          {only && others.length === 0 && foreseen.data.posts + foreseen.data.messages + foreseen.data.stories > 0 && (
            <Uses fileId={only.id} />
          )}
        </>
      )}
      <Group justify="flex-end" gap="xs" mt="xl">
        <Button variant="default" onClick={onClose} disabled={remove.isPending} data-autofocus>
          {commonTexts.cancel}
        </Button>
        <Button
          {...destructive}
          onClick={() => remove.mutate()}
          loading={remove.isPending}
          disabled={!foreseen.data || none}
        >
          {texts.confirm}
        </Button>
      </Group>
    </Dialog>
  )
}

function consequencesOf({ posts, messages, stories, buyers, emptied_posts, staying_files }: VaultRemoval): string[] {
  const places = [
    posts > 0 && vaultTexts.usedInPosts(posts),
    messages > 0 && vaultTexts.usedInMessages(messages),
    stories > 0 && vaultTexts.usedInStories(stories),
  ].filter((place) => place !== false)
  return [
    places.length > 0 && texts.used(places.join(` ${texts.and} `)),
    buyers > 0 && texts.buyers(buyers),
    emptied_posts > 0 && texts.emptied(emptied_posts),
    staying_files > 0 && texts.staying(staying_files),
    texts.final,
  ].filter((sentence) => sentence !== false)
}

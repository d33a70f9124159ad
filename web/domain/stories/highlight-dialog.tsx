import { Button, Text, TextInput } from '@mantine/core'
import { storyHighlightMax, storyHighlightNameMaxLength } from '@ovation/contract/limits'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { sized, useMediaLinks } from '../../lib/media/media-links.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { destructive } from '../../ui/destructive.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './highlight-dialog.module.css'
import { archiveQuery, highlightStoriesQuery, highlightsQuery, type StoryHighlight, storiesKey } from './queries.ts'

const texts = storyTexts.highlights

type Props = {
  creatorId: string
  /** The story that is added to a highlight, which the creator chooses first. */
  storyId?: string
  /** The highlight that is edited. */
  highlightId?: string
  onDeleted?: () => void
  onClose: () => void
}

/** Makes a highlight, adds a story to one, or edits one (STORY-02). */
export default function HighlightDialog({ creatorId, storyId, highlightId, onDeleted, onClose }: Props) {
  const highlights = useQuery(highlightsQuery(creatorId))
  const [chosen, setChosen] = useState(highlightId)
  const [isNew, setNew] = useState(!storyId && !highlightId)
  const highlight = highlights.data?.find(({ id }) => id === chosen)
  const kept = useQuery({ ...highlightStoriesQuery(chosen ?? ''), enabled: chosen !== undefined })
  if (!isNew && !chosen)
    return (
      <Dialog title={texts.add} onClose={onClose}>
        {highlights.isPending && <ListSkeleton rows={2} shape="line" />}
        {highlights.isError && <LoadFailed title={texts.loadFailed} of={highlights} />}
        {highlights.data && (
          <ChooseHighlight highlights={highlights.data} onChoose={(id) => setChosen(id)} onNew={() => setNew(true)} />
        )}
      </Dialog>
    )
  return (
    <Dialog title={chosen ? texts.editTitle : texts.newTitle} onClose={onClose} size="lg" fullScreenOnPhone>
      {chosen && (!highlight || !kept.data) ? (
        <ListSkeleton rows={2} />
      ) : (
        <HighlightForm
          highlight={highlight}
          begin={[...new Set([...(kept.data?.map(({ id }) => id) ?? []), ...(storyId ? [storyId] : [])])]}
          onDeleted={onDeleted}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type ChooseProps = { highlights: readonly StoryHighlight[]; onChoose: (id: string) => void; onNew: () => void }

function ChooseHighlight({ highlights, onChoose, onNew }: ChooseProps) {
  const { links } = useMediaLinks(
    highlights.map(({ cover_path }) => cover_path),
    'stories',
  )
  // Nothing to choose from.
  useEffect(() => {
    if (highlights.length === 0) onNew()
  }, [highlights, onNew])
  return (
    <ul className={classes.choices}>
      <li>
        <button type="button" className={classes.choice} onClick={onNew} data-autofocus>
          <span className={classes.cover}>
            <IconPlus size={20} stroke={1.75} aria-hidden="true" />
          </span>
          {texts.new}
        </button>
      </li>
      {highlights.map(({ id, name, cover_path }) => {
        const link = links.get(cover_path)
        return (
          <li key={id}>
            <button type="button" className={classes.choice} onClick={() => onChoose(id)} dir="auto">
              <span className={classes.cover}>{link && <img src={sized(link, 144)} alt="" />}</span>
              {name}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

type FormProps = {
  highlight: StoryHighlight | undefined
  /** The stories that are selected at first. */
  begin: string[]
  onDeleted: (() => void) | undefined
  onClose: () => void
}

function HighlightForm({ highlight, begin, onDeleted, onClose }: FormProps) {
  const queryClient = useQueryClient()
  const archive = useInfiniteQuery(archiveQuery())
  const stories = archive.data?.pages.flat()
  const { links } = useMediaLinks(stories?.map(({ path }) => path) ?? [], 'stories')
  const [selected, setSelected] = useState(begin)
  const [problem, setProblem] = useState<string>()
  const [asking, setAsking] = useState(false)
  const form = useAppForm({
    initialValues: { name: highlight?.name ?? '' },
    draft: { key: `highlight:${highlight?.id ?? 'new'}` },
    validate: { name: (name) => (name.trim() === '' ? texts.nameRequired : null) },
  })
  const done = (message: string, leaves = false) => {
    form.forgetDraft()
    if (leaves) toast.leaving(message)
    else toast.success(message)
    void queryClient.invalidateQueries({ queryKey: storiesKey })
    onClose()
  }
  const save = useMutation({
    mutationFn: async ({ name }: typeof form.values) =>
      supabase
        .rpc('save_story_highlight', {
          name,
          story_ids: selected,
          ...(highlight && { highlight_id: highlight.id }),
        })
        .throwOnError(),
    onSuccess: () => done(texts.saved),
  })
  const remove = useMutation({
    mutationFn: async () =>
      supabase
        .from('story_highlights')
        .delete()
        .eq('id', highlight?.id ?? '')
        .throwOnError(),
    onSuccess: () => {
      done(texts.deleted, onDeleted !== undefined)
      onDeleted?.()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.deleteFailed),
  })
  const toggle = (id: string) => {
    setProblem(undefined)
    if (selected.includes(id)) return setSelected(selected.filter((each) => each !== id))
    if (selected.length === storyHighlightMax) return setProblem(texts.tooMany)
    setSelected([...selected, id])
  }
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const pending = save.isPending || remove.isPending
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(async (values) => {
        if (selected.length === 0) return setProblem(texts.noneChosen)
        await save.mutateAsync(values)
      })}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        maxLength={storyHighlightNameMaxLength}
        disabled={pending}
        dir="auto"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <fieldset className={classes.stories} disabled={pending}>
        <legend>{texts.stories}</legend>
        <p className={classes.hint}>{texts.storiesHint}</p>
        <PagedList
          query={archive}
          rows={stories}
          pending={<ListSkeleton rows={1} />}
          failed={{ title: texts.loadFailed }}
          empty={<Text c="dimmed">{texts.none}</Text>}
          moreFailed={texts.moreFailed}
        >
          {(rows, more) => (
            <>
              <ul className={classes.grid}>
                {rows.map(({ id, path, caption, created_at }) => {
                  const link = links.get(path)
                  const place = selected.indexOf(id)
                  return (
                    <li key={id}>
                      <button
                        type="button"
                        className={classes.story}
                        aria-pressed={place !== -1}
                        aria-label={texts.story(formatDate(created_at), caption)}
                        onClick={() => toggle(id)}
                      >
                        {link && <img src={sized(link, 240)} alt="" loading="lazy" />}
                        {place !== -1 && <span className={classes.place}>{place + 1}</span>}
                        <span className={classes.date}>{formatDate(created_at)}</span>
                      </button>
                    </li>
                  )
                })}
              </ul>
              {more}
            </>
          )}
        </PagedList>
        <p className={classes.hint} role="status" data-problem={problem !== undefined || undefined}>
          {problem ?? texts.chosen(selected.length)}
        </p>
      </fieldset>
      {highlight && (
        <Button {...destructive} variant="subtle" mb="md" disabled={pending} onClick={() => setAsking(true)}>
          {texts.delete}
        </Button>
      )}
      <FormFoot submit={texts.save} pending={pending} failed={texts.failed} error={save.error} onCancel={close} />
      {asking && (
        <ConfirmDialog
          title={texts.deleteQuestion.title}
          message={texts.deleteQuestion.message}
          confirmLabel={texts.deleteQuestion.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </form>
  )
}

import { Stack, Text, Textarea } from '@mantine/core'
import { blockedWordMaxLength, blockedWordsMax } from '@ovation/contract/limits'
import { commentTexts } from '@ovation/contract/texts/comments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { choiceOf, commentersOf } from '../../domain/comment-rules/commenters.ts'
import { CommentersField } from '../../domain/comment-rules/commenters-field.tsx'
import { supabase } from '../../lib/api/supabase.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type CommentSettings, commentSettingsQuery } from './comment-queries.ts'
import classes from './earnings.module.css'

const { settings: texts } = commentTexts

type Values = { commenters: string; words: string }
type Props = { creatorId: string; settings: CommentSettings }

/** Who may comment by default (TALK-02), and the words that hold a comment back (TALK-03). */
export function CommentSettingsForm({ creatorId, settings }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: {
      commenters: choiceOf(settings.commenters, settings.plan_id),
      words: settings.blocked_words.join('\n'),
    },
    validate: { words: wrongWithWords },
    draft: { key: `comment-settings:${creatorId}` },
  })
  const save = useMutation({
    mutationFn: async ({ commenters, words }: Values) => {
      const rule = commentersOf(commenters)
      const { data } = await supabase
        .from('comment_settings')
        .upsert({
          creator_id: creatorId,
          commenters: rule?.commenters ?? 'everyone',
          plan_id: rule?.planId ?? null,
          blocked_words: wordsOf(words),
        })
        .select('commenters, plan_id, blocked_words')
        .single()
        .throwOnError()
      return data
    },
    onSuccess: (row) => {
      form.forgetDraft()
      form.setFieldValue('words', row.blocked_words.join('\n')) // once each
      queryClient.setQueryData(commentSettingsQuery(creatorId).queryKey, row)
      void queryClient.invalidateQueries({ queryKey: ['comment-access'] })
      toast.success(texts.saved)
    },
  })
  return (
    <form
      className={`surface ${classes.panel}`}
      aria-labelledby="comment-settings"
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}
      noValidate
    >
      <Stack>
        <div>
          <h2 id="comment-settings" className={classes.heading}>
            {texts.title}
          </h2>
          <Text c="dimmed" mt="xs">
            {texts.hint}
          </Text>
        </div>
        <CommentersField
          creatorId={creatorId}
          value={form.values.commenters}
          onChange={(commenters) => form.setFieldValue('commenters', commenters)}
          hasDefault={false}
          disabled={save.isPending}
        />
        <Textarea
          label={texts.words}
          description={texts.wordsHint}
          rows={6}
          dir="auto"
          readOnly={save.isPending}
          {...form.getInputProps('words')}
        />
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} />
      </Stack>
    </form>
  )
}

const wordsOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function wrongWithWords(typed: string): string | null {
  const words = wordsOf(typed)
  if (words.length > blockedWordsMax) return texts.tooMany
  if (words.some((word) => word.length > blockedWordMaxLength)) return texts.tooLong
  return words.some((word) => !/[\p{Alphabetic}0-9]/u.test(word)) ? texts.noLetters : null
}

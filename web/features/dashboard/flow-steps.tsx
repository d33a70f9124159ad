import { ActionIcon, Button, Menu } from '@mantine/core'
import { flowStepsMax } from '@ovation/contract/limits'
import { flowTexts } from '@ovation/contract/texts/flows'
import {
  IconArrowDown,
  IconArrowUp,
  IconClock,
  IconFilter,
  IconFlag,
  IconListCheck,
  IconListDetails,
  IconMessage,
  IconPlus,
  IconTicket,
  IconTrash,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { type DraftStep, newStep } from './flow-draft.ts'
import { FlowFigures } from './flow-figures.tsx'
import type { Figures, SavedStep, StepKind } from './flow-queries.ts'
import { StepFields } from './flow-step-fields.tsx'
import classes from './flows.module.css'

const texts = flowTexts.form

const icons = {
  wait: IconClock,
  condition: IconFilter,
  send: IconMessage,
  add_to_list: IconListCheck,
  remove_from_list: IconListDetails,
  promotion_code: IconTicket,
  end: IconFlag,
} as const
const kinds = Object.keys(icons) as StepKind[]

type Props = {
  viewerId: string
  /** As they are saved, with their numbers. */
  saved: readonly SavedStep[]
  steps: DraftStep[]
  onChange: (change: (steps: DraftStep[]) => DraftStep[]) => void
}

/** The steps of a flow from top to bottom: moved by buttons, and removed with Undo (AUTO-02). */
export function FlowSteps({ viewerId, saved, steps, onChange }: Props) {
  const [announced, setAnnounced] = useState('')
  const [added, setAdded] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const kept = useKeptFocus<HTMLElement>()
  const move = (index: number, way: 1 | -1) => {
    const to = index + way
    if (to < 0 || to >= steps.length) return
    onChange((all) => {
      const step = all[index]
      return step ? all.toSpliced(index, 1).toSpliced(to, 0, step) : all
    })
    setAnnounced(texts.moved(to + 1, steps.length))
  }
  const remove = (step: DraftStep, index: number) => {
    onChange((all) => all.filter(({ id }) => id !== step.id))
    toast.undo(texts.removed, () =>
      onChange((all) => (all.some(({ id }) => id === step.id) ? all : all.toSpliced(index, 0, step))),
    )
  }
  const add = (kind: StepKind) => {
    const step = newStep(kind)
    setAdded(step.id)
    onChange((all) => [...all, step])
  }
  return (
    <section aria-labelledby="flow-steps" {...kept}>
      <h3 id="flow-steps" className={classes.stepsTitle}>
        {texts.steps}
      </h3>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const Icon = icons[step.kind]
          const place = index + 1
          const figures = saved.find(({ id }) => id === step.id)
          return (
            <li key={step.id} className={classes.step}>
              <span className={classes.mark} aria-hidden="true">
                <Icon size={18} stroke={1.75} />
              </span>
              <fieldset className={`surface ${classes.card}`}>
                <legend className="visually-hidden">
                  {texts.step(place)}: {flowTexts.steps[step.kind]}
                </legend>
                <div className={classes.cardHead}>
                  <strong aria-hidden="true">{flowTexts.steps[step.kind]}</strong>
                  {/* Not disabled at the ends, which would lose the focus. */}
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={40}
                    aria-label={texts.up(place)}
                    aria-disabled={index === 0}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={18} stroke={1.6} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={40}
                    aria-label={texts.down(place)}
                    aria-disabled={place === steps.length}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={18} stroke={1.6} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={40}
                    aria-label={texts.remove(place)}
                    onClick={() => remove(step, index)}
                  >
                    <IconTrash size={18} stroke={1.6} />
                  </ActionIcon>
                </div>
                <StepFields
                  viewerId={viewerId}
                  step={step}
                  hasFocus={step.id === added}
                  onChange={(next) => onChange((all) => all.map((one) => (one.id === next.id ? next : one)))}
                />
                {figures && <FlowFigures figures={figures} shows={shownOf(step)} />}
              </fieldset>
            </li>
          )
        })}
      </ol>
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
      {steps.length < flowStepsMax ? (
        <Menu
          position="bottom-start"
          shadow="md"
          radius="lg"
          // As soon as it closes: later, Mantine would take the focus from the field of the new step.
          onClose={() => button.current?.focus({ preventScroll: true })}
          returnFocus={false}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <Button ref={button} variant="default" leftSection={<IconPlus size={16} stroke={1.9} aria-hidden="true" />}>
              {texts.add}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map((kind) => {
              const Icon = icons[kind]
              return (
                <Menu.Item key={kind} leftSection={<Icon size={18} stroke={1.6} />} onClick={() => add(kind)}>
                  {flowTexts.steps[kind]}
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <p className={classes.hint}>{texts.addMost}</p>
      )}
    </section>
  )
}

/** A free message earns nothing, and only a message or a code is bought. */
function shownOf(step: DraftStep): (keyof Figures)[] {
  if (step.kind === 'send')
    return step.price === '' ? ['entered', 'waiting', 'sent'] : ['entered', 'waiting', 'sent', 'bought', 'earned_cents']
  return step.kind === 'promotion_code' ? ['entered', 'waiting', 'bought', 'earned_cents'] : ['entered', 'waiting']
}

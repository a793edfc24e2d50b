import { type KeyboardEvent, memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { inputStyle } from '../components/form.tsx'
import { countOf } from '../components/format.ts'
import { findText, isWordCut, paragraphStarts, spanOfWords, wordAt } from './paragraphs.ts'
import type { Span } from './spans.ts'
import type { Word } from './studio-queries.ts'

interface Props {
  readonly section: RefObject<HTMLElement | null>
  readonly words: readonly Word[]
  readonly cuts: readonly Span[]
  readonly durationSeconds: number
  readonly onSeek: (time: number) => void
  readonly onEdit: (kind: 'cut' | 'keep', span: Span) => void
  /** Called with what marks the word of a time. */
  readonly onFollow: (mark: (time: number) => void) => void
}

/** What is said. A click plays from a word, and selected words can be cut. */
export const Transcript = memo(({ section, words, cuts, durationSeconds, onSeek, onEdit, onFollow }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<readonly [number, number]>()
  const paragraphs = useMemo(() => {
    const starts = paragraphStarts(words)
    return starts.map((first, index) => ({ first, words: words.slice(first, starts[index + 1]) }))
  }, [words])
  const isUnsure = useMemo(() => words.some(({ confidence }) => confidence < unsureBelow), [words])
  const found = useMemo(() => new Set(findText(words, search)), [words, search])

  // The browser's selection ends when rows change, so the words are kept by their indexes.
  useEffect(() => {
    const read = () => {
      const range = box.current && wordsOfSelection(box.current)
      if (range) setSelected(range)
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [])
  const mark = useCallback((time: number) => markWord(box.current, wordAt(words, time)), [words])
  useEffect(() => onFollow(mark), [onFollow, mark])

  const goTo = (index: number) => {
    const word = words[index]
    if (!word) return
    wordElement(box.current, index)?.scrollIntoView({ block: 'center' })
    onSeek(word.start)
  }
  const act = (kind: 'cut' | 'keep') => {
    if (!selected) return
    onEdit(kind, spanOfWords(words, selected[0], selected[1], durationSeconds))
    getSelection()?.removeAllRanges()
    setSelected(undefined)
  }
  const press = (event: KeyboardEvent) => {
    if ((event.key === 'Delete' || event.key === 'Backspace') && selected) act('cut')
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      step(event.key === 'ArrowRight' ? 1 : -1, event.shiftKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  /** Moves the selection by a word, or extends it. */
  const step = (by: number, isExtended: boolean) => {
    const focus = Math.min(Math.max((selected?.[by > 0 ? 1 : 0] ?? -1) + by, 0), words.length - 1)
    const anchor = isExtended && selected ? selected[by > 0 ? 0 : 1] : focus
    const range = [Math.min(anchor, focus), Math.max(anchor, focus)] as const
    selectWords(box.current, ...range)
    // The event of the selection can come after the next key.
    setSelected(range)
    if (!isExtended) onSeek(words[focus]?.start ?? 0)
  }
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Transcript"
      className="flex h-full min-h-0 flex-col gap-2 outline-none"
    >
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key === 'Enter' && first !== undefined) goTo(first)
          }}
          aria-label="Search the transcript"
          placeholder="Search"
          className={`${inputStyle} min-w-48 flex-1`}
        />
        {search && (
          <p role="status" className="text-quiet">
            {countOf(found.size, 'place')}
          </p>
        )}
        <div className="ml-auto flex gap-2">
          <Button onClick={() => act('keep')} isBusy={!selected}>
            Keep words
          </Button>
          <Button onClick={() => act('cut')} isBusy={!selected}>
            Cut words
          </Button>
        </div>
      </div>
      {isUnsure && (
        <p className="text-xs text-quiet">
          <span className={styles['u']}>Dotted underline</span>: a word that was hard to hear.
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset */}
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys choose its words
        tabIndex={0}
        role="group"
        aria-label="Words: the arrow keys choose one, with Shift several, and Delete cuts them"
        onKeyDown={press}
        onClick={({ target }) => {
          const index = target instanceof Element ? indexOf(target) : undefined
          if (index !== undefined && getSelection()?.isCollapsed) goTo(index)
        }}
        className="min-h-0 flex-1 overflow-y-auto pr-2 text-[15px]/7"
      >
        {words.length === 0 && <p className="text-quiet">No words were heard. Only English is heard.</p>}
        {paragraphs.map(({ first, words: own }) => (
          <Paragraph key={first} first={first} words={own} marks={marksOf(own, first, cuts, found)} />
        ))}
      </div>
    </section>
  )
})

/** A word of less confidence is marked. */
const unsureBelow = 0.5

interface ParagraphProps {
  readonly first: number
  readonly words: readonly Word[]
  /** A letter for each word: c for cut, f for found, u for unsure. As text, so that an equal one draws nothing. */
  readonly marks: string
}

const Paragraph = memo(({ first, words, marks }: ParagraphProps) => (
  <p className="mb-3 [contain-intrinsic-size:auto_6rem] [content-visibility:auto]">
    {words.map(({ text }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: words never change places
      <span key={first + index} data-word={first + index} className={styles[marks[index] ?? '']}>
        {`${text} `}
      </span>
    ))}
  </p>
))

const styles: Readonly<Record<string, string>> = {
  c: 'text-quiet line-through',
  f: 'bg-raised underline decoration-2 decoration-accent',
  u: 'underline decoration-dotted decoration-quiet',
}

function marksOf(words: readonly Word[], first: number, cuts: readonly Span[], found: ReadonlySet<number>): string {
  return words
    .map((word, index) => {
      if (isWordCut(word, cuts)) return 'c'
      if (found.has(first + index)) return 'f'
      return word.confidence < unsureBelow ? 'u' : '-'
    })
    .join('')
}

function indexOf(node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement
  const index = element?.closest('[data-word]')?.getAttribute('data-word')
  return index ? Number(index) : undefined
}

function wordElement(box: Element | null, index: number): Element | null {
  return box?.querySelector(`[data-word="${index}"]`) ?? null
}

function wordsOfSelection(box: Element): readonly [number, number] | undefined {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const { startContainer, endContainer, commonAncestorContainer } = selection.getRangeAt(0)
  if (!box.contains(commonAncestorContainer)) return undefined
  const first = indexOf(startContainer)
  const last = indexOf(endContainer)
  return first === undefined || last === undefined ? undefined : [first, last]
}

function selectWords(box: Element | null, first: number, last: number): void {
  const [from, to] = [wordElement(box, first)?.firstChild, wordElement(box, last)?.firstChild]
  if (!from || !to) return
  getSelection()?.setBaseAndExtent(from, 0, to, to.textContent?.trimEnd().length ?? 0)
  to.parentElement?.scrollIntoView({ block: 'nearest' })
}

/** Marks a word without a rendering. */
function markWord(box: Element | null, index: number): void {
  const element = wordElement(box, index)
  if (!element) {
    CSS.highlights.delete('now')
    return
  }
  const range = new Range()
  range.selectNodeContents(element)
  CSS.highlights.set('now', new Highlight(range))
}

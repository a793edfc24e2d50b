import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import { type Drawing, drawTimeline, readColors, rulerHeight } from './draw-timeline.ts'
import { EdgeHandle } from './edge-handle.tsx'
import type { Edge } from './edits.ts'
import { clamp, type Span } from './spans.ts'
import { panView, toTime, toX, type View, zoomView } from './view.ts'

interface Props {
  /** All but the playhead, which moves without a rendering. */
  readonly drawing: Omit<Drawing, 'playhead'>
  readonly width: number
  readonly onWidth: (pixels: number) => void
  readonly painter: RefObject<Painter>
  readonly onView: (view: View) => void
  readonly onSeek: (time: number) => void
  readonly onMark: (span: Span | undefined) => void
  readonly onSelect: (time: number) => void
  /** Where the edges of the selected cut can be. */
  readonly reach: Readonly<Record<Edge, Span>> | undefined
  /** How far an edge moves by a frame. */
  readonly frameSeconds: number
  readonly onMoveEdge: (edge: Edge, to: number, pull: number | undefined) => void
}

/** Draws the timeline again: at another playhead, or because something arrived. */
export interface Painter {
  playhead: number
  paint: () => void
}

/** The timeline: a canvas for the eyes, with handles for the selected cut. What it shows is listed beside it as text. */
export function Timeline(props: Props) {
  const { drawing, width, onWidth, painter, onView, reach, frameSeconds, onMoveEdge } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d', { alpha: false })
    if (!element || !context) return
    let frame = 0
    let colors = readColors(element, context)
    const draw = () => {
      frame = 0
      const ratio = window.devicePixelRatio
      const { clientWidth, clientHeight } = element
      const [pixelsWide, pixelsHigh] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)]
      if (element.width !== pixelsWide || element.height !== pixelsHigh) {
        element.width = pixelsWide
        element.height = pixelsHigh
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      const whole = { ...latest.current.drawing, playhead: painter.current.playhead }
      drawTimeline(context, whole, colors, clientWidth, clientHeight)
    }
    const paint = () => {
      frame ||= requestAnimationFrame(draw)
    }
    painter.current.paint = paint
    const resize = new ResizeObserver(() => {
      onWidth(element.clientWidth)
      paint()
    })
    resize.observe(element)
    const scheme = window.matchMedia('(prefers-color-scheme: dark)')
    const recolor = () => {
      colors = readColors(element, context)
      paint()
    }
    scheme.addEventListener('change', recolor)
    const wheel = (event: WheelEvent) => {
      const { view, durationSeconds } = latest.current.drawing
      // A pinch on a touchpad arrives as a wheel with ctrl.
      const isZoom = event.ctrlKey || event.metaKey
      // With everything in view, the page scrolls.
      if (!isZoom && view.end - view.start >= durationSeconds) return
      event.preventDefault()
      const at = toTime(event.offsetX, view, element.clientWidth)
      if (isZoom) onView(zoomView(view, Math.exp(event.deltaY * 0.01), at, durationSeconds))
      else {
        const share = (event.deltaX || event.deltaY) / element.clientWidth
        onView(panView(view, share * (view.end - view.start), durationSeconds))
      }
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => {
      cancelAnimationFrame(frame)
      resize.disconnect()
      scheme.removeEventListener('change', recolor)
      element.removeEventListener('wheel', wheel)
    }
  }, [painter, onView, onWidth])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn
  useEffect(() => painter.current.paint(), [drawing])
  const { view, selected } = drawing
  return (
    <div className="relative h-full min-w-0 flex-1 overflow-hidden">
      <canvas ref={canvas} className="block size-full touch-pan-y select-none" {...usePointer(latest)} />
      {selected &&
        reach &&
        (['start', 'end'] as const).map((edge) => (
          <EdgeHandle
            key={edge}
            edge={edge}
            time={selected[edge]}
            reach={reach[edge]}
            x={toX(selected[edge], view, width)}
            top={rulerHeight}
            isVisible={selected[edge] >= view.start && selected[edge] <= view.end}
            frameSeconds={frameSeconds}
            timeAt={(pixels) => selected[edge] + (pixels / width) * (view.end - view.start)}
            onMove={(to, pull) => onMoveEdge(edge, to, pull)}
          />
        ))}
    </div>
  )
}

/** On the ruler, a pointer moves the playhead; below, it selects a cut or marks a range. */
function usePointer(latest: RefObject<Props>) {
  const from = useRef<{ time: number; isRuler: boolean; x: number } | undefined>(undefined)
  const timeOf = ({ nativeEvent: { offsetX }, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    const { view, durationSeconds } = latest.current.drawing
    return clamp(toTime(offsetX, view, currentTarget.clientWidth), { start: 0, end: durationSeconds })
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      const time = timeOf(event)
      from.current = { time, isRuler: event.nativeEvent.offsetY < rulerHeight, x: event.clientX }
      if (from.current.isRuler) latest.current.onSeek(time)
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      const begin = from.current
      if (!begin) return
      const time = timeOf(event)
      if (begin.isRuler) latest.current.onSeek(time)
      else if (Math.abs(event.clientX - begin.x) > dragPixels)
        latest.current.onMark({ start: Math.min(begin.time, time), end: Math.max(begin.time, time) })
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      const begin = from.current
      from.current = undefined
      if (!begin || begin.isRuler || Math.abs(event.clientX - begin.x) > dragPixels) return
      latest.current.onMark(undefined)
      latest.current.onSelect(begin.time)
      latest.current.onSeek(begin.time)
    },
    onPointerCancel: () => {
      from.current = undefined
    },
  }
}

const dragPixels = 4

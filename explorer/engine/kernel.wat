;; What of the engine is not JavaScript: a linear layer and the numerators of a softmax, four numbers at a time (SIMD).
;;
;; Nearly all time of a translation goes into reading the weights once for each piece, so that their size and their order
;; decide the speed. A matrix is packed in tiles of 8 outputs x 4 inputs, 32 numbers one after another, tile after tile
;; along the inputs: it is read from its first number to its last. kernel.js fills up with zeros to whole tiles.
;;
;; A file's 16-bit numbers stay 16-bit: 1 bit for the sign, 5 for the exponent, 10 for the fraction. A 32-bit word holds an
;; input of two outputs, that of the first in the lower half. Their bits, moved to their places in a 32-bit float, are
;; 2^-102 of what they mean (NARROW_SCALE in kernel.js). One row is multiplied with them at once; for several, eight
;; outputs are widened in a place that stays in the processor's cache.
(module
  (import "engine" "memory" (memory 1))

  ;; The sum of each of four vectors, as the four numbers of one vector.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local $ab v128) (local $cd v128)
    ;; [a0 b0 a1 b1] + [a2 b2 a3 b3]
    (local.set $ab (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $cd (f32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    ;; [ab0 ab1 cd0 cd1] + [ab2 ab3 cd2 cd3]
    (f32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $ab) (local.get $cd))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $ab) (local.get $cd))))

  ;; 16-bit numbers as 32-bit floats, from `wide` to `end`.
  (func $widen (param $narrow i32) (param $wide i32) (param $end i32)
    (local $words v128) (local $bits v128) (local $scale v128)
    (local.set $bits (v128.const i32x4 0x8fffe000 0x8fffe000 0x8fffe000 0x8fffe000))
    (local.set $scale (f32x4.splat (f32.const 0x1p102)))
    (loop $next
      (local.set $words (v128.load (local.get $narrow)))
      (v128.store (local.get $wide) (f32x4.mul (local.get $scale) (v128.and (local.get $bits)
        (i32x4.shr_s (i32x4.shl (local.get $words) (i32.const 16)) (i32.const 3)))))
      (v128.store offset=16 (local.get $wide) (f32x4.mul (local.get $scale) (v128.and (local.get $bits)
        (i32x4.shr_s (local.get $words) (i32.const 3)))))
      (local.set $narrow (i32.add (local.get $narrow) (i32.const 16)))
      (local.set $wide (i32.add (local.get $wide) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $wide) (local.get $end)))))

  ;; Eight outputs of one row x: its products with eight rows of the matrix, from `tile` on.
  ;; Eight sums at once, because a processor can begin several additions before the first is done.
  (func $one_row (param $x i32) (param $end i32) (param $tile i32) (result v128 v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $inputs v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (loop $next
      (local.set $inputs (v128.load (local.get $x)))
      (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $inputs) (v128.load (local.get $tile)))))
      (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $inputs) (v128.load offset=16 (local.get $tile)))))
      (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $inputs) (v128.load offset=32 (local.get $tile)))))
      (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $inputs) (v128.load offset=48 (local.get $tile)))))
      (local.set $e (f32x4.add (local.get $e) (f32x4.mul (local.get $inputs) (v128.load offset=64 (local.get $tile)))))
      (local.set $f (f32x4.add (local.get $f) (f32x4.mul (local.get $inputs) (v128.load offset=80 (local.get $tile)))))
      (local.set $g (f32x4.add (local.get $g) (f32x4.mul (local.get $inputs) (v128.load offset=96 (local.get $tile)))))
      (local.set $h (f32x4.add (local.get $h) (f32x4.mul (local.get $inputs) (v128.load offset=112 (local.get $tile)))))
      (local.set $tile (i32.add (local.get $tile) (i32.const 128)))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $x) (local.get $end))))
    (call $sums (local.get $a) (local.get $b) (local.get $c) (local.get $d))
    (call $sums (local.get $e) (local.get $f) (local.get $g) (local.get $h)))

  ;; The same for a matrix of 16-bit numbers, which never leave the processor's registers.
  (func $one_row_narrow (param $x i32) (param $end i32) (param $tile i32) (result v128 v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $inputs v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128) (local $words v128) (local $bits v128)
    (local.set $bits (v128.const i32x4 0x8fffe000 0x8fffe000 0x8fffe000 0x8fffe000))
    (loop $next
      (local.set $inputs (f32x4.mul (v128.load (local.get $x)) (v128.const f32x4 0x1p102 0x1p102 0x1p102 0x1p102)))
      (local.set $words (v128.load (local.get $tile)))
      (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (i32x4.shl (local.get $words) (i32.const 16)) (i32.const 3))))))
      (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (local.get $words) (i32.const 3))))))
      (local.set $words (v128.load offset=16 (local.get $tile)))
      (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (i32x4.shl (local.get $words) (i32.const 16)) (i32.const 3))))))
      (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (local.get $words) (i32.const 3))))))
      (local.set $words (v128.load offset=32 (local.get $tile)))
      (local.set $e (f32x4.add (local.get $e) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (i32x4.shl (local.get $words) (i32.const 16)) (i32.const 3))))))
      (local.set $f (f32x4.add (local.get $f) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (local.get $words) (i32.const 3))))))
      (local.set $words (v128.load offset=48 (local.get $tile)))
      (local.set $g (f32x4.add (local.get $g) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (i32x4.shl (local.get $words) (i32.const 16)) (i32.const 3))))))
      (local.set $h (f32x4.add (local.get $h) (f32x4.mul (local.get $inputs) (v128.and (local.get $bits)
        (i32x4.shr_s (local.get $words) (i32.const 3))))))
      (local.set $tile (i32.add (local.get $tile) (i32.const 64)))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $x) (local.get $end))))
    (call $sums (local.get $a) (local.get $b) (local.get $c) (local.get $d))
    (call $sums (local.get $e) (local.get $f) (local.get $g) (local.get $h)))

  ;; Four outputs of two rows, x and the one `row` bytes after it: each weight is read once for both.
  (func $two_rows (param $x i32) (param $end i32) (param $tile i32) (param $row i32) (result v128 v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $first v128) (local $weights v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128) (local $second v128)
    (loop $next
      (local.set $first (v128.load (local.get $x)))
      (local.set $second (v128.load (i32.add (local.get $x) (local.get $row))))
      (local.set $weights (v128.load (local.get $tile)))
      (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $first) (local.get $weights))))
      (local.set $e (f32x4.add (local.get $e) (f32x4.mul (local.get $second) (local.get $weights))))
      (local.set $weights (v128.load offset=16 (local.get $tile)))
      (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $first) (local.get $weights))))
      (local.set $f (f32x4.add (local.get $f) (f32x4.mul (local.get $second) (local.get $weights))))
      (local.set $weights (v128.load offset=32 (local.get $tile)))
      (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $first) (local.get $weights))))
      (local.set $g (f32x4.add (local.get $g) (f32x4.mul (local.get $second) (local.get $weights))))
      (local.set $weights (v128.load offset=48 (local.get $tile)))
      (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $first) (local.get $weights))))
      (local.set $h (f32x4.add (local.get $h) (f32x4.mul (local.get $second) (local.get $weights))))
      (local.set $tile (i32.add (local.get $tile) (i32.const 128)))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $x) (local.get $end))))
    (call $sums (local.get $a) (local.get $b) (local.get $c) (local.get $d))
    (call $sums (local.get $e) (local.get $f) (local.get $g) (local.get $h)))

  ;; output[r, o] = bias[o] + sum over i of x[r, i] * matrix[o, i]; all sizes but `rows` are in bytes, as of 32-bit floats.
  ;; A matrix of 16-bit numbers comes with a place for eight of its rows, `wide`; it is 0 for one of 32-bit floats.
  ;; Eight outputs are computed for all rows before the next eight, so that their weights stay in the processor's cache.
  (func (export "linear") (param $rows i32) (param $x i32) (param $inputs i32)
      (param $matrix i32) (param $wide i32) (param $bias i32) (param $output i32) (param $outputs i32)
    (local $column i32) (local $left i32) (local $row i32) (local $end i32) (local $place i32) (local $tiles i32)
    (local $size i32) (local $first v128) (local $second v128) (local $bias_1 v128) (local $bias_2 v128)
    (local.set $size (i32.shl (local.get $inputs) (select (i32.const 2) (i32.const 3) (local.get $wide))))
    (loop $next_outputs
      (local.set $tiles (select (local.get $wide) (local.get $matrix) (local.get $wide)))
      (if (local.get $wide) (then
        (call $widen (local.get $matrix) (local.get $wide)
          (i32.add (local.get $wide) (i32.shl (local.get $inputs) (i32.const 3))))))
      (local.set $bias_1 (v128.load (i32.add (local.get $bias) (local.get $column))))
      (local.set $bias_2 (v128.load offset=16 (i32.add (local.get $bias) (local.get $column))))
      (local.set $place (i32.add (local.get $output) (local.get $column)))
      (local.set $row (local.get $x))
      (local.set $left (local.get $rows))
      (block $one_left
        (loop $next_rows
          (br_if $one_left (i32.lt_u (local.get $left) (i32.const 2)))
          (local.set $end (i32.add (local.get $row) (local.get $inputs)))
          (call $two_rows (local.get $row) (local.get $end) (local.get $tiles) (local.get $inputs))
          (local.set $second)
          (local.set $first)
          (v128.store (local.get $place) (f32x4.add (local.get $first) (local.get $bias_1)))
          (v128.store (i32.add (local.get $place) (local.get $outputs)) (f32x4.add (local.get $second) (local.get $bias_1)))
          (call $two_rows (local.get $row) (local.get $end) (i32.add (local.get $tiles) (i32.const 64)) (local.get $inputs))
          (local.set $second)
          (local.set $first)
          (v128.store offset=16 (local.get $place) (f32x4.add (local.get $first) (local.get $bias_2)))
          (v128.store offset=16 (i32.add (local.get $place) (local.get $outputs))
            (f32x4.add (local.get $second) (local.get $bias_2)))
          (local.set $place (i32.add (local.get $place) (i32.shl (local.get $outputs) (i32.const 1))))
          (local.set $row (i32.add (local.get $row) (i32.shl (local.get $inputs) (i32.const 1))))
          (local.set $left (i32.sub (local.get $left) (i32.const 2)))
          (br $next_rows)))
      (if (local.get $left) (then
        (call $one_row (local.get $row) (i32.add (local.get $row) (local.get $inputs)) (local.get $tiles))
        (local.set $second)
        (local.set $first)
        (v128.store (local.get $place) (f32x4.add (local.get $first) (local.get $bias_1)))
        (v128.store offset=16 (local.get $place) (f32x4.add (local.get $second) (local.get $bias_2)))))
      (local.set $matrix (i32.add (local.get $matrix) (local.get $size)))
      (local.set $column (i32.add (local.get $column) (i32.const 32)))
      (br_if $next_outputs (i32.lt_u (local.get $column) (local.get $outputs)))))

  ;; The same for one row and a matrix of 16-bit numbers.
  (func (export "narrow_linear") (param $x i32) (param $inputs i32)
      (param $matrix i32) (param $bias i32) (param $output i32) (param $outputs i32)
    (local $column i32) (local $place i32) (local $first v128) (local $second v128)
    (loop $next_outputs
      (call $one_row_narrow (local.get $x) (i32.add (local.get $x) (local.get $inputs)) (local.get $matrix))
      (local.set $second)
      (local.set $first)
      (local.set $place (i32.add (local.get $bias) (local.get $column)))
      (local.set $first (f32x4.add (local.get $first) (v128.load (local.get $place))))
      (local.set $second (f32x4.add (local.get $second) (v128.load offset=16 (local.get $place))))
      (local.set $place (i32.add (local.get $output) (local.get $column)))
      (v128.store (local.get $place) (local.get $first))
      (v128.store offset=16 (local.get $place) (local.get $second))
      (local.set $matrix (i32.add (local.get $matrix) (i32.shl (local.get $inputs) (i32.const 2))))
      (local.set $column (i32.add (local.get $column) (i32.const 32)))
      (br_if $next_outputs (i32.lt_u (local.get $column) (local.get $outputs)))))

  ;; Replaces all numbers from `place` to `end` by exp(x - largest), and returns their sum. Below e^-87 they become 0.
  ;; exp(x) = 2^n exp(r), where n is x / ln 2, rounded, and -0.35 < r < 0.35; the polynomial for exp(r) and ln 2 in two
  ;; parts, the first of few digits, are those of Moshier's Cephes library (expf.c).
  (func (export "exponentials") (param $place i32) (param $end i32) (param $largest f32) (result f64)
    (local $x v128) (local $n v128) (local $r v128) (local $p v128) (local $sums v128)
    (loop $next
      (local.set $x (f32x4.sub (v128.load (local.get $place)) (f32x4.splat (local.get $largest))))
      (local.set $n (f32x4.nearest (f32x4.mul (f32x4.splat (f32.const 1.44269504))
        (f32x4.max (local.get $x) (f32x4.splat (f32.const -87))))))
      (local.set $r (f32x4.sub (f32x4.sub (local.get $x) (f32x4.mul (local.get $n) (f32x4.splat (f32.const 0.693359375))))
        (f32x4.mul (local.get $n) (f32x4.splat (f32.const -2.12194440e-4)))))
      (local.set $p (f32x4.splat (f32.const 1.9875691500e-4)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 1.3981999507e-3))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 8.3334519073e-3))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 4.1665795894e-2))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 1.6666665459e-1))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 5.0000001201e-1))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 1))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 1))))
      ;; 2^n has the exponent n + 127 and no fraction.
      (local.set $p (f32x4.mul (local.get $p)
        (i32x4.shl (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $n)) (i32x4.splat (i32.const 127))) (i32.const 23))))
      (local.set $p (v128.and (local.get $p) (f32x4.ge (local.get $x) (f32x4.splat (f32.const -87)))))
      (v128.store (local.get $place) (local.get $p))
      (local.set $sums (f64x2.add (local.get $sums) (f64x2.add (f64x2.promote_low_f32x4 (local.get $p))
        (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $p) (local.get $p))))))
      (local.set $place (i32.add (local.get $place) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $place) (local.get $end))))
    (f64.add (f64x2.extract_lane 0 (local.get $sums)) (f64x2.extract_lane 1 (local.get $sums)))))

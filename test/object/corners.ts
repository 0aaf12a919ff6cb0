// One module with every kind of variable, function and initial value; ptxas 13.0 accepts it (sm_75, -c).

export const corners = `.version 8.5
.target sm_75, texmode_independent
.address_size 64
.extern .func (.param .b32 r) used(.param .b32 a);
.extern .func unused();
.extern .global .align 16 .u32 open[];
.extern .shared .align 16 .b8 dynamic[];
.visible .func (.param .b32 r) twice(.param .b32 a);
.func own();
.visible .global .u32 g = 5;
.global .s16 s[2][3] = {{-1, 2, 3}, {4, 5, -6}};
.weak .global .u64 w = s+4;
.weak .const .u32 wc = 1;
.common .global .u32 cm;
.global .u64 table[5] = {g, g+4, generic(wc), wc, generic(wc)+8};
.visible .const .f32 fs[3] = {0f3F800000, 0f80000000, 1.5};
.visible .global .f64 fd = 0d7FF8000000000001;
.visible .global .align 16 .v4 .f32 v4[2] = {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}};
.shared .align 16 .b8 sm[40];
.visible .shared .u32 vs;
.global .texref tx;
.global .attribute(.managed) .align 64 .b8 z[100];
.visible .global .u64 ft[2] = {twice, 0};
.global .u8 m[3] = {0xFF00(g), 0xFF(generic(g)+8), 0xFF0000(twice)};
.global .u32 empty[2];
.func own()
{
	.shared .u32 fs1;
	.global .u32 fg = 7;
	.reg .u32 %r;
	ld.shared.u32 %r, [fs1];
	st.global.u32 [z], %r;
	st.global.u32 [fg], %r;
	ret;
}
.visible .func (.param .b32 r) twice(.param .b32 a)
{
	.reg .u32 %r<2>;
	ld.param.u32 %r0, [a];
	shl.b32 %r1, %r0, 1;
	st.param.b32 [r], %r1;
	ret;
}
.visible .func other();
.visible .func original()
{
	ret;
}
.visible .entry k(.param .u32 a, .param .u64 .ptr .global .align 8 b)
.maxntid 128, 1, 1
.minnctapersm 2
{
	.shared .align 8 .b8 z[12];
	.local .align 4 .b8 frame[8];
	.reg .pred %p<2>;
	.reg .u32 %r<4>;
	.reg .u64 %d<3>;
	.reg .v2 .f32 %v;
	proto: .callprototype (.param .b32 _) _ (.param .b32 _);
	.pragma "nounroll";
	ld.shared.u32 %r0, [z];
	st.shared.u32 [sm+-4], %r0;
	call own;
	{
		.param .b32 p0;
		.param .b32 q0;
		st.param.b32 [p0], %r0;
		call.uni (q0), used, (p0);
		ld.param.b32 %r1, [q0];
	}
	{
		.param .b32 p0;
		.param .b32 q0;
		.reg .u32 %r0;
		mov.u32 %r0, 3;
		st.param.b32 [p0], %r0;
		mov.u64 %d0, twice;
		call (q0), %d0, (p0), proto;
		ld.param.b32 %r1, [q0];
	}
	st.shared.u32 [vs], %r1;
	st.shared.u32 [dynamic+8], %r1;
	ld.const.f32 %v.x, [fs+4];
	mov.f32 %v.y, 0f40490FDB;
	st.local.v2.f32 [frame], {%v.x, %v.y};
	ld.global.u32 %r2, [open];
	st.global.u32 [cm], %r2;
	mov.u64 %d1, tx;
	st.global.u64 [table], %d1;
	setp.lt.s32 %p0, %r2, -5;
	@!%p0 bra done;
loop:
	add.s32 %r2, %r2, -1;
	setp.ne.u32 %p1, %r2, 4294967295;
	@%p1 bra.uni loop;
	mov.u32 %r3, %tid.x;
	ts: .branchtargets loop, done;
	brx.idx %r3, ts;
done:
	ret;
}
.alias other, original;
`;
